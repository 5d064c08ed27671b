/** Divides dropped, pasted or chosen files into accepted ones and refused ones with their reason. */

export const MAX_UPLOAD_BYTES = 200 * 1024 * 1024

const IMAGE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/heic',
  'image/heif',
]

/** Extensions of files whose media type browsers do not know; file choosers need them, too. */
const IMAGE_EXTENSIONS = ['.heic', '.heif']
const VIDEO_EXTENSIONS = ['.ts', '.mts']

export interface RejectedFile {
  name: string
  reason: 'not_an_image' | 'empty' | 'too_big' | 'wrong_kind'
}

export interface CheckedFiles {
  accepted: File[]
  rejected: RejectedFile[]
}

export const ACCEPT: Record<string, string> = {
  Image: [...IMAGE_TYPES, ...IMAGE_EXTENSIONS].join(','),
  Video: ['video/mp4', 'video/webm', 'video/quicktime', 'video/mp2t', ...VIDEO_EXTENSIONS].join(','),
  Audio: 'audio/mpeg,audio/wav,audio/x-wav,audio/mp4,audio/ogg,audio/flac',
  File: '',
}

export function checkFiles(files: Iterable<File>, valueType = 'Image'): CheckedFiles {
  const sorted: CheckedFiles = { accepted: [], rejected: [] }
  for (const file of files) {
    const reason = rejectionOf(file, valueType)
    if (reason) sorted.rejected.push({ name: file.name, reason })
    else sorted.accepted.push(file)
  }
  return sorted
}

function rejectionOf(file: File, valueType: string): RejectedFile['reason'] | null {
  const accept = ACCEPT[valueType] ?? ''
  const extension = file.name.slice(file.name.lastIndexOf('.')).toLowerCase()
  const accepted = accept.split(',')
  if (accept && !accepted.includes(file.type) && !accepted.includes(extension)) {
    return valueType === 'Image' ? 'not_an_image' : 'wrong_kind'
  }
  if (file.size === 0) return 'empty'
  return file.size > MAX_UPLOAD_BYTES ? 'too_big' : null
}

/** The files of a drag or paste; none if it carries only text. */
export function filesIn(transfer: DataTransfer | null): File[] {
  return transfer ? Array.from(transfer.files) : []
}

/** Word processors put an image of the text beside the text; a paste into a field should insert the text. */
export function hasText(transfer: DataTransfer | null): boolean {
  if (!transfer?.types.includes('text/html')) return false
  return transfer.getData('text/plain').trim() !== ''
}

export function hasFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && Array.from(transfer.types).includes('Files')
}
