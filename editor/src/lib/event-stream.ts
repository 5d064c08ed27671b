export type ServerEvent = { id: string; event: string; data: string }

/** Parses a byte stream into server-sent events; comments and heartbeats are dropped. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r\n\r\n|\n\n|\r\r/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Parses one block of lines; null when it has no data. */
export function parseEvent(block: string): ServerEvent | null {
  const event: ServerEvent = { id: '', event: 'message', data: '' }
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') event.event = value
    else if (name === 'id') event.id = value
  }
  if (data.length === 0) return null
  event.data = data.join('\n')
  return event
}
