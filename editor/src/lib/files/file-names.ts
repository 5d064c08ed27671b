/** A file name that is valid on every file system. */
export function fileStem(text: string): string {
  const stem = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/-+$/, '')
  return stem || 'asset'
}

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'application/json': 'json',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'application/pdf': 'pdf',
}

export function extensionOf(mediaType: string | null | undefined): string {
  return EXTENSIONS[mediaType?.split(';')[0] ?? ''] ?? 'bin'
}
