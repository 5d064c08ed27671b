import { ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Area, CropperProps } from 'react-easy-crop'
import { useTranslation } from 'react-i18next'
import { Button } from './button'
import { Dialog } from './dialog'
import { lazyPart } from './lazy-part'
import { Slider } from './slider'

/** Crops `area` of the image at `source` and scales it to a square file of `side` pixels. */
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

// Large, and needed only once an image has been chosen.
const Cropper = lazyPart(async () => {
  const { default: EasyCrop } = await import('react-easy-crop')
  return (props: Partial<CropperProps> & Pick<CropperProps, 'crop' | 'onCropChange'>) => (
    <EasyCrop {...props} />
  )
})

type ImageCropProps = {
  /** The image to crop; the dialog is open while it is set. */
  file: File | null
  title: string
  shape?: 'round' | 'rect'
  /** The side of the resulting square, in pixels. */
  side?: number
  busy?: boolean
  onCancel: () => void
  onCrop: (image: File) => void
  /** The file could not be decoded as an image. */
  onUnreadable?: () => void
}

/** Crops a square: drag to move; wheel, pinch or slider to zoom; arrow keys to nudge. */
export function ImageCrop({
  file,
  title,
  shape = 'round',
  side = 512,
  busy,
  onCancel,
  onCrop,
  onUnreadable,
}: ImageCropProps) {
  const { t } = useTranslation('common')
  const source = useObjectUrl(file)
  const [position, setPosition] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<Area | null>(null)

  async function finish() {
    if (!source || !area) return
    try {
      onCrop(await cropImage(source, area, side, file?.name ?? 'avatar'))
    } catch {
      onUnreadable?.()
    }
  }

  return (
    <Dialog
      open={file !== null}
      onOpenChange={(open) => !open && onCancel()}
      title={title}
      description={t('crop.help')}
      size="sm"
      footer={
        <>
          <Button variant="ghost" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button variant="primary" busy={busy} disabled={!area || busy} onClick={finish}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className="relative aspect-square w-full overflow-hidden rounded-m bg-sunken">
        {source && (
          <Cropper
            image={source}
            crop={position}
            zoom={zoom}
            minZoom={1}
            maxZoom={4}
            aspect={1}
            objectFit="cover"
            cropShape={shape}
            showGrid={false}
            onCropChange={setPosition}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            mediaProps={{ onError: () => onUnreadable?.() }}
          />
        )}
      </div>
      <div className="flex items-center gap-3 text-muted">
        <ZoomOut aria-hidden className="size-4" />
        <Slider
          aria-label={t('crop.zoom')}
          min={1}
          max={4}
          step={0.01}
          value={zoom}
          onValueChange={setZoom}
        />
        <ZoomIn aria-hidden className="size-4" />
      </div>
    </Dialog>
  )
}

function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setUrl(null)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
