/** Downloads a file through the browser. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the URL only after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
