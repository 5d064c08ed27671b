/** An in-memory implementation of the API routes that the benchmark uses. */
const port = (name, type, more = {}) => ({
  name,
  title: name,
  help: '',
  type,
  list: false,
  depth: 0,
  lazy: false,
  required: false,
  ...more,
})
const hints = (more = {}) => ({
  widget: null,
  options: false,
  order: 0,
  group: null,
  advanced: false,
  main: false,
  unit: null,
  placeholder: null,
  step: null,
  ...more,
})
const text = {
  type: 'string',
  default: '',
  title: 'Text',
  'x-ui': hints({ widget: 'long_text', main: true }),
}

function nodeType(id, inputs, outputs) {
  return {
    id,
    title: id.replace('_', ' '),
    version: 1,
    category: 'ai_models',
    summary: 'Makes something.',
    help: '',
    inputs,
    outputs,
    settings: { type: 'object', properties: { text }, required: [] },
    input: null,
    variables: [],
    generative: true,
    streams: false,
    beta: false,
    deprecated: false,
    replaced_by: null,
    limit: null,
    timeout: null,
    retries: null,
    subflow: null,
    package: 'bench',
  }
}

const CATALOGUE = {
  types: [
    nodeType('write_words', [port('prompt', 'Text'), port('more', 'Text')], [port('output', 'Text')]),
    nodeType('make_image', [port('prompt', 'Text'), port('more', 'Text')], [port('output', 'Image')]),
    nodeType('say_words', [port('prompt', 'Text'), port('more', 'Text')], [port('output', 'Audio')]),
  ],
  conversions: [],
  value_types: ['Text', 'Image', 'Audio'],
  categories: ['ai_models'],
  broken: [],
}

const picture = (at) => ({
  $type: 'Image',
  asset_id: `picture-${at}`,
  media_type: 'image/webp',
  width: 800,
  height: 600,
})

/** A layered flow of text, image and speech nodes, branched like real flows. Every second card shows a picture. */
export function bigFlow(nodes, edges) {
  const kinds = ['write_words', 'make_image', 'say_words', 'make_image']
  const made = Array.from({ length: nodes }, (_, at) => ({
    id: `n${at}`,
    type: kinds[at % kinds.length],
    version: 1,
    settings: { text: 'Late August, six in the evening.' },
    position: { x: Math.floor(at / 25) * 320, y: (at % 25) * 300 },
    ...(at % 2 === 1 && { pin: { outputs: { output: { type: 'Image', depth: 0, value: picture(at) } } } }),
  }))
  const wires = []
  for (let at = 25; wires.length < edges && at < nodes; at++) {
    const writer = at - 25 - ((at - 25) % 4)
    wires.push({ from: `n${writer}.output`, to: `n${at}.prompt` })
    if (at % 2 === 0 && writer >= 4) wires.push({ from: `n${writer - 4}.output`, to: `n${at}.more` })
  }
  return { format: 1, name: 'Big', nodes: made, edges: wires.slice(0, edges) }
}

const summary = (id, flow) => ({
  id,
  name: flow.name,
  description: '',
  category: 'uncategorized',
  visibility: 'private',
  status: 'draft',
  avatar_url: null,
  built_in: false,
  mine: true,
  beta: false,
  kinds: [],
  version: null,
  revision: 1,
  unpublished_changes: true,
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
  permissions: { edit: true, run: true, publish: true },
  flow,
  inputs: { type: 'object', properties: {} },
  results: [],
  problems: [],
  estimate: { usd: null, seconds: null },
})

const run = (flow) => ({
  id: 'r',
  number: 1,
  flow_id: 'big',
  flow_name: 'Big',
  version: 'draft',
  status: 'running',
  inputs: {},
  targets: null,
  created_at: new Date().toISOString(),
  started_at: new Date().toISOString(),
  finished_at: null,
  seconds: null,
  cost_usd: '0',
  estimate: null,
  error: null,
  steps: [],
  results: [],
  last_seq: 1,
  can_resume: false,
  can_cancel: true,
  flow,
})

const QUOTA = { limit: 50, used: 0, resets_at: new Date().toISOString() }
const USER = {
  id: 'bench',
  username: 'bench',
  email: 'b@n.example',
  avatar_url: null,
  info: null,
  quota: QUOTA,
  betas: [],
  book_a_call_url: null,
}

const asset = (id) => ({
  id,
  name: `${id}.webp`,
  kind: 'image',
  media_type: 'image/webp',
  bytes: 20_000,
  width: 800,
  height: 600,
  seconds: null,
  url: `/pictures/${id}.webp`,
  thumbnail_url: `/pictures/${id}.webp`,
  created_at: new Date().toISOString(),
})

export function answer(request, response, path, { flow, streams }) {
  const json = (data, status = 200) => {
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(data))
  }
  if (path === '/runs/r/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(': open\n\n')
    streams.add(response)
    return request.on('close', () => streams.delete(response))
  }
  if (path === '/assets/') {
    const { searchParams } = new URL(request.url, 'http://localhost')
    return json(searchParams.getAll('asset_ids').map(asset))
  }
  if (path === '/users/me') return json(USER)
  if (path === '/nodes/') return json(CATALOGUE)
  if (path === '/flows/check')
    return json({ problems: [], inputs: {}, results: [], steps: {}, estimate: { usd: null, seconds: null } })
  if (path.endsWith('/draft')) return json({ revision: 2, problems: [], saved_at: new Date().toISOString() })
  if (path.endsWith('/runs')) return json(run(flow), 202)
  if (path === '/runs/') return json({ items: [], next_cursor: null })
  if (path === '/runs/r') return json(run(flow))
  if (path === '/flows/big') return json(summary('big', flow))
  if (path === '/flows/warm') return json(summary('warm', bigFlow(4, 0)))
  return json({ title: 'Not found', detail: 'Not found', code: 'not_found' }, 404)
}
