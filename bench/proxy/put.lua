wrk.method = "PUT"
wrk.path = "/v3/pipeline/5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a10/transform/0f8fad5b-d9cb-469f-a165-70867728950e"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = "Token benchmark-access-token"
wrk.headers["Accept"] = "application/json"
wrk.headers["User-Agent"] = "bench"
wrk.headers["X-Trace"] = "0"
wrk.body = '{"title":"a transform","description":"' .. string.rep("d", 700) .. '","user_config":{"field":".message","pattern":"' .. string.rep("p", 120) .. '"},"generation_id":3,"inputs":["5f0e9b1c-9d0a-4b8e-8a53-0d5c3b6f7a11"],"deploy_type":"saas"}'
