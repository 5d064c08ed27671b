/** Which dropped, pasted or chosen files may be used, and why the others may not. */

export const UPLOAD_LIMIT = 200 * 1024 * 1024

const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export interface Refused {
  name: string
  reason: 'not_a_picture' | 'empty' | 'too_big' | 'wrong_kind'
}

export interface Sorted {
  accepted: File[]
  refused: Refused[]
}

export const ACCEPT: Record<string, string> = {
  Image: PICTURES.join(','),
  Video: 'video/mp4,video/webm,video/quicktime',
  Audio: 'audio/mpeg,audio/wav,audio/x-wav,audio/mp4,audio/ogg,audio/flac',
  File: '',
}

export function sortFiles(files: Iterable<File>, valueType = 'Image'): Sorted {
  const sorted: Sorted = { accepted: [], refused: [] }
  for (const file of files) {
    const reason = refusal(file, valueType)
    if (reason) sorted.refused.push({ name: file.name, reason })
    else sorted.accepted.push(file)
  }
  return sorted
}

function refusal(file: File, valueType: string): Refused['reason'] | null {
  const accept = ACCEPT[valueType] ?? ''
  if (accept && !accept.split(',').includes(file.type)) {
    return valueType === 'Image' ? 'not_a_picture' : 'wrong_kind'
  }
  if (file.size === 0) return 'empty'
  return file.size > UPLOAD_LIMIT ? 'too_big' : null
}

/** The files of a drag or a paste; none when it carries only text. */
export function filesIn(transfer: DataTransfer | null): File[] {
  return transfer ? Array.from(transfer.files) : []
}

/** Programs that write put a picture of the words beside the words; whoever pastes into a field wants the words. */
export function carriesWriting(transfer: DataTransfer | null): boolean {
  if (!transfer?.types.includes('text/html')) return false
  return transfer.getData('text/plain').trim() !== ''
}

export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && Array.from(transfer.types).includes('Files')
}
