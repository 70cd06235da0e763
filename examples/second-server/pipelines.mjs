// Pipelines: nodes, bundles of transforms (the specification's groups) with editions, gateways, variables and taps.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject, list, object, oneOf, shape, text, truth, uuid, whole } from './checks.mjs'
import { demand, invalid, Refused } from './http.mjs'

const TRANSFORMS =
  'filter sample drop-fields parse parse-sequentially route stringify compact-fields flatten-fields dedupe encrypt-fields decrypt-fields js-script unroll vrl reduce map-fields metrics-tag-cardinality-limit aggregate event-to-metric clustering redact throttle set-timestamp data-profiler replace trace-sampling'.split(
    ' ',
  )
const SOURCES =
  'http acme-collector s3 sqs demo-logs kinesis-firehose fluent log-analysis log-analysis-ingestion logstash acme-agent acme-watch pipeline-data-restoration webhook kafka acme-hub prometheus-remote-write open-telemetry-metrics open-telemetry-logs open-telemetry-traces'.split(
    ' ',
  )
const common = {
  title: text({ least: 1, most: 512, plain: true }),
  description: text({ least: 1, plain: true }),
  user_config: object,
  generation_id: whole(),
  deploy_type: oneOf(['saas', 'local']),
}
const inputs = list(text())
const checks = {
  transform: shape({ ...common, inputs, sort: oneOf(TRANSFORMS) }),
  source: shape({ ...common, sort: oneOf(SOURCES) }),
  bundle: shape({
    title: common.title,
    description: common.description,
    deploy_type: common.deploy_type,
    pipeline_id: uuid,
    pipeline_transform_ids: list(uuid, 1),
  }),
  placing: shape({ transform_group_id: uuid, deploy_type: common.deploy_type, inputs }),
  moving: shape({ transform_group_revision_id: uuid, inputs }),
  gateway: shape({ title: text(), description: text(), legacy_routing: truth }),
  signing: shape({ key: text() }),
  variables: shape({ pipeline_id: uuid, state: object }),
  tap: shape({ limit: whole(1, 100), timeout: whole(1, 20), edge_id: text({ least: 1 }), filter: object }),
}

const result = (value, status = 200) => ({ status, json: { result: value } })
const items = (values) => result({ items: values, total: values.length })

export function createPipelines() {
  const pipelines = new Map()
  const bundles = new Map()
  const gateways = new Map()
  let count = 0
  const nextId = (letter) => {
    count += 1
    return `${letter}-${count}`
  }
  const get = (among, uid) => {
    const found = among.get(uid)
    if (!found) throw new Refused(404, 'NotHere', `there is no ${uid}`)
    return found
  }
  const pipeline = ({ params }) => get(pipelines, params.pipeline)

  const shown = ({ uid, heading, active, made }) => ({ uid, heading, active, made })
  const nodeOf = ({ uid, rev, sent }) => {
    const { title, description, sort, user_config, inputs: feeds, deploy_type } = sent
    return {
      uid,
      rev,
      shape: { heading: title, about: description, sort, settings: user_config, feeds, place: deploy_type },
    }
  }
  const bundleOf = ({ uid, heading, about, editions }) => {
    const newest = editions.at(-1)
    return { uid, heading, about, edition: newest.uid, members: newest.members }
  }

  /** Making, reading, listing, changing and removing one kind of node. */
  function nodes(kind, newId) {
    const check = checks[kind]
    const place = `/v3/pipelines/:pipeline/${kind}s`
    return {
      [`GET ${place}`]: (call) => items([...pipeline(call)[kind].values()].map(nodeOf)),
      [`POST ${place}`]: (call) => {
        demand(check(call.body))
        const node = { uid: newId(), rev: 1, sent: call.body }
        pipeline(call)[kind].set(node.uid, node)
        return result({ uid: node.uid, rev: node.rev }, 201)
      },
      [`GET ${place}/:node`]: (call) => result(nodeOf(get(pipeline(call)[kind], call.params.node))),
      [`DELETE ${place}/:node`]: (call) => {
        get(pipeline(call)[kind], call.params.node)
        pipeline(call)[kind].delete(call.params.node)
      },
      [`PUT /v3/pipeline/:pipeline/${kind}/:node`]: (call) => {
        const node = get(pipeline(call)[kind], call.params.node)
        demand(check(call.body))
        node.sent = { sort: node.sent.sort, ...call.body }
        node.rev += 1
        return result({ uid: node.uid, rev: node.rev })
      },
    }
  }

  /** Copies of the transforms of a pipeline, as they are now. */
  function copies({ pipeline_id: from, pipeline_transform_ids: ids = [] }) {
    const { transform } = get(pipelines, from)
    return ids.map((uid) => ({ of: uid, ...nodeOf(get(transform, uid)).shape }))
  }

  return {
    'GET /v3/pipelines': () => items([...pipelines.values()].map(shown)),
    'POST /v3/pipelines': ({ body }) => {
      if (typeof body?.heading !== 'string') throw invalid('heading is needed')
      const made = {
        uid: randomUUID(),
        heading: body.heading,
        active: true,
        made: new Date().toISOString(),
        transform: new Map(),
        source: new Map(),
        placed: new Map(),
        variables: {},
      }
      pipelines.set(made.uid, made)
      return result({ uid: made.uid }, 201)
    },
    'GET /v3/pipelines/:pipeline': (call) => result(shown(pipeline(call))),
    'PUT /v3/pipelines/:pipeline': (call) => {
      pipeline(call).heading = String(call.body?.heading)
    },
    'DELETE /v3/pipelines/:pipeline': (call) => {
      pipelines.delete(pipeline(call).uid)
    },
    'PUT /v3/pipeline/:pipeline/processing-status': (call) => {
      if (!isObject(call.body)) throw invalid('an object is needed')
      if (typeof call.body.active === 'boolean') pipeline(call).active = call.body.active
      return result({ active: pipeline(call).active })
    },
    ...nodes('transform', randomUUID),
    ...nodes('source', () => nextId('src')),

    'POST /v3/transform-group/from-pipeline': ({ body }) => {
      demand(checks.bundle(body))
      const { title: heading, description: about } = body
      const editions = [{ uid: randomUUID(), note: '', members: copies(body) }]
      const bundle = { uid: randomUUID(), heading, about, editions }
      bundles.set(bundle.uid, bundle)
      return result(bundleOf(bundle))
    },
    'GET /v3/bundles': () => items([...bundles.values()].map(bundleOf)),
    'GET /v3/bundles/:bundle': ({ params }) => result(bundleOf(get(bundles, params.bundle))),
    'DELETE /v3/bundles/:bundle': ({ params }) => {
      get(bundles, params.bundle)
      bundles.delete(params.bundle)
    },
    'GET /v3/bundles/:bundle/editions': ({ params }) => items(get(bundles, params.bundle).editions),
    'POST /v3/bundles/:bundle/editions': ({ params, body }) => {
      const edition = { uid: randomUUID(), note: body.note, members: copies(body) }
      get(bundles, params.bundle).editions.push(edition)
      return result({ uid: edition.uid }, 201)
    },

    'POST /v3/pipeline/:pipeline/transform-group': (call) => {
      const { placed } = pipeline(call)
      demand(checks.placing(call.body))
      const bundle = get(bundles, call.body.transform_group_id)
      const one = {
        uid: nextId('b'),
        bundle: bundle.uid,
        edition: bundle.editions.at(-1).uid,
        feeds: call.body.inputs,
        place: call.body.deploy_type,
      }
      placed.set(one.uid, one)
      return result(one)
    },
    'GET /v3/pipelines/:pipeline/bundles': (call) => items([...pipeline(call).placed.values()]),
    'GET /v3/pipelines/:pipeline/bundles/:placed': (call) => result(get(pipeline(call).placed, call.params.placed)),
    'DELETE /v3/pipelines/:pipeline/bundles/:placed': (call) => {
      get(pipeline(call).placed, call.params.placed)
      pipeline(call).placed.delete(call.params.placed)
    },
    'PUT /v3/pipeline/:pipeline/transform-group/:placed': (call) => {
      const one = get(pipeline(call).placed, call.params.placed)
      demand(checks.moving(call.body))
      const { transform_group_revision_id: edition = one.edition, inputs: feeds = one.feeds } = call.body
      if (!get(bundles, one.bundle).editions.some(({ uid }) => uid === edition)) throw invalid('no such edition')
      Object.assign(one, { edition, feeds })
      return result(one)
    },

    'GET /v3/gateways': () => items([...gateways.values()]),
    'POST /v3/gateways': ({ body }) => {
      demand(checks.gateway(body))
      const { title: heading, description: about, legacy_routing: old } = body
      const gateway = { uid: nextId('gw'), heading, about, old, signing: [] }
      gateways.set(gateway.uid, gateway)
      return result({ uid: gateway.uid }, 201)
    },
    'GET /v3/gateways/:gateway': ({ params }) => result(get(gateways, params.gateway)),
    'DELETE /v3/gateways/:gateway': ({ params }) => {
      get(gateways, params.gateway)
      gateways.delete(params.gateway)
    },
    'PATCH /v3/pipeline/gateway-route/:gateway': ({ params, body }) => {
      const gateway = get(gateways, params.gateway)
      demand(checks.gateway(body))
      const { title = gateway.heading, description = gateway.about, legacy_routing: old = gateway.old } = body
      return result(Object.assign(gateway, { heading: title, about: description, old }))
    },
    'PUT /v3/pipeline/gateway-route/:gateway/signing-key': ({ params, body }) => {
      const gateway = get(gateways, params.gateway)
      demand(checks.signing(body))
      gateway.signing.push(body.key)
      return result({ signing: gateway.signing })
    },

    'GET /v3/pipelines/:pipeline/variables': (call) => result({ values: pipeline(call).variables }),
    'PATCH /v3/pipeline/state-variable': ({ body }) => {
      demand(checks.variables(body))
      const { variables } = get(pipelines, body.pipeline_id)
      return result({ values: Object.assign(variables, body.state) })
    },

    'POST /v3/pipeline/:pipeline/tap/:component': async (call) => {
      const { source, transform } = pipeline(call)
      demand(checks.tap(call.body))
      const { limit = 10, timeout = 5, edge_id: edge, filter } = call.body
      const [, origin] = /^([^.]+)(?:\.(.+))?$/.exec(call.params.component) ?? []
      if (origin === undefined) throw invalid('that is no component')
      if (!transform.has(origin)) get(source, origin)
      const [from, to] = edge?.split('/') ?? []
      const passes = edge === undefined || (from === origin && (transform.get(to)?.sent.inputs ?? []).includes(origin))
      const samples = passes ? Array.from({ length: limit }, (_, index) => eventOf(index)).filter(chosenBy(filter)) : []
      if (samples.length === 0) await sleep(timeout * 1000)
      return result({ samples })
    },
  }
}

/** What a demonstration source emits. */
const eventOf = (index) => ({ message: `demonstration ${index}`, severity: index % 3 === 0 ? 'warn' : 'info' })

/** `{ all: [{ path, is }] }`: every condition holds; `{ any: [...] }`: one of them does. */
function chosenBy(filter) {
  const holds =
    ({ path, is }) =>
    (event) =>
      is === 'present' ? event[path] !== undefined : event[path] === is
  return (event) => {
    if (Array.isArray(filter?.any)) return filter.any.some((one) => holds(one)(event))
    return (filter?.all ?? []).every((one) => holds(one)(event))
  }
}
