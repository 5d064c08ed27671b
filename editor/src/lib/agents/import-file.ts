/** Reads an agent file and checks its size and that it is a JSON object; the server validates the rest. */

const MAX_BYTES = 2 * 1024 * 1024

export class InvalidFlowFileError extends Error {
  override readonly name = 'NotAFlowFile'
  constructor(
    readonly file: string,
    readonly reason: 'too_big' | 'not_json',
  ) {
    super(`${file} is not an agent file: ${reason}.`)
  }
}

export async function readFlowFile(file: File): Promise<Record<string, unknown>> {
  if (file.size > MAX_BYTES) throw new InvalidFlowFileError(file.name, 'too_big')
  try {
    const document: unknown = JSON.parse(await file.text())
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
      return document as Record<string, unknown>
    }
  } catch {
    // Falls through to the error for a file that is not an agent.
  }
  throw new InvalidFlowFileError(file.name, 'not_json')
}
