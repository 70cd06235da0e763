/** A client of one's own: keeps a pipeline with one transform in step with what somebody wants. */
export function createClient({ baseUrl, token }) {
  async function call(method, path, body) {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Token ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    const answer = text === '' ? undefined : JSON.parse(text)
    if (!response.ok) {
      throw Object.assign(new Error(answer?.message ?? answer?.error ?? text), { status: response.status })
    }
    return answer?.data
  }

  return {
    async create(title, transform) {
      const pipeline = await call('POST', '/v3/pipeline', {
        title,
        description: 'made by a client',
        deploy_type: 'saas',
      })
      const node = await call('POST', `/v3/pipeline/${pipeline.id}/transform`, { ...transform, inputs: [] })
      return { pipeline: pipeline.id, transform: node.id, generation: node.generation_id }
    },
    async rename({ pipeline, transform, generation }, title, config) {
      const node = await call('PUT', `/v3/pipeline/${pipeline}/transform/${transform}`, {
        user_config: config,
        generation_id: generation,
        inputs: [],
        title,
        description: 'renamed by a client',
        deploy_type: 'saas',
      })
      return node.generation_id
    },
    titleOf: async ({ pipeline, transform }) =>
      (await call('GET', `/v3/pipeline/${pipeline}/transform/${transform}`)).title,
    remove: ({ pipeline }) => call('DELETE', `/v3/pipeline/${pipeline}`),
    exists: async ({ pipeline }) =>
      call('GET', `/v3/pipeline/${pipeline}`).then(
        () => true,
        (error) => {
          if (error.status === 404) return false
          throw error
        },
      ),
  }
}
