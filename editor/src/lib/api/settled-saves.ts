/** The saves without an answer, by agent. */
const underway = new Map<string, Promise<unknown>>()

/** Resolves when the server has answered the saves of this agent, so that what is read next has them. */
export async function settledSaves(flowId: string): Promise<void> {
  await underway.get(flowId)?.catch(() => undefined)
}

/** Notes a save until it is answered; returns it. */
export function whileUnderway<Data>(flowId: string, save: Promise<Data>): Promise<Data> {
  underway.set(flowId, save)
  const settle = () => {
    if (underway.get(flowId) === save) underway.delete(flowId)
  }
  save.then(settle, settle)
  return save
}
