const NODES = 12

/** Creates an agent and a run of the signed-in user; returns the agent's id once the run has ended. */
export async function writeAgent(page) {
  const nodes = Array.from({ length: NODES }, (_, at) => ({
    ...{ id: `n${at}`, type: at === 0 ? 'user_prompt' : 'compose', version: 1 },
    settings: at === 0 ? { text: 'Cold brew for late summer' } : { template: `Line ${at}: {{it}}` },
    position: { x: (at % 4) * 320, y: Math.floor(at / 4) * 260 },
  }))
  const edges = nodes.slice(1).map(({ id }, at) => ({ from: `n${at}.output`, to: `${id}.it` }))
  return page.evaluate(
    async (flow) => {
      const { token } = JSON.parse(localStorage.getItem('impasto.session'))
      const call = async (method, path, body) => {
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
        const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
        const response = await fetch(`/api/v1${path}`, init)
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
        return response.json()
      }
      const { id } = await call('POST', '/flows/', { name: flow.name, flow })
      const run = await call('POST', `/flows/${id}/runs`, { inputs: {}, version: 'draft' })
      const deadline = Date.now() + 60_000
      while (!['finished', 'failed'].includes((await call('GET', `/runs/${run.id}`)).status)) {
        if (Date.now() > deadline) throw new Error('The run did not end within a minute.')
        await new Promise((done) => setTimeout(done, 100))
      }
      return id
    },
    { format: 1, name: 'Twelve lines', nodes, edges },
  )
}
