type Area = { x: number; y: number; width: number; height: number }

/** Cuts `area` out of the picture at `source` and scales it to a square file of `side` pixels. */
export async function cropImage(source: string, area: Area, side: number, name: string): Promise<File> {
  const image = new Image()
  image.src = source
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const brush = canvas.getContext('2d')
  if (!brush) throw new Error('This browser cannot draw images.')
  brush.imageSmoothingQuality = 'high'
  brush.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, side, side)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('This browser cannot write images.')
  return new File([blob], name.replace(/\.[^.]*$/, '.png'), { type: 'image/png' })
}
