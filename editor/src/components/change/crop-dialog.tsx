import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Asset, imageUrl } from '@/lib/api/assets'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { Field } from '../field'
import { Input } from '../input'
import { Segmented } from '../segmented'
import { type CropBox, fitBox, moveBox, resizeBox, withSide } from './crop-box'

const RATIOS = { '1:1': 1, '4:5': 4 / 5, '9:16': 9 / 16, '16:9': 16 / 9, free: null } as const
type Format = keyof typeof RATIOS
const FORMATS = Object.keys(RATIOS) as Format[]
const SIDES = ['x', 'y', 'width', 'height'] as const
const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

type CropDialogProps = {
  asset: Asset
  busy: boolean
  onCancel: () => void
  onCrop: (box: CropBox) => void
}

/** Chooses the part of an image to keep: with the pointer, the arrow keys, or as numbers. */
export function CropDialog({ asset, busy, onCancel, onCrop }: CropDialogProps) {
  const { t } = useTranslation(['change', 'common'])
  const size = { width: asset.width ?? 1, height: asset.height ?? 1 }
  const [format, setFormat] = useState<Format>('1:1')
  const [box, setBox] = useState(() => fitBox(size, RATIOS['1:1']))
  const ratio = RATIOS[format]
  const labels = { x: t('left'), y: t('top'), width: t('width'), height: t('height') }
  const apply = (side: keyof CropBox, value: number) => setBox(withSide(box, size, side, value, ratio))
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      title={t('cropTitle')}
      description={t('cropHelp')}
      size="lg"
      footer={
        <>
          <Button variant="ghost" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => onCrop(box)}>
            {t('crop')}
          </Button>
        </>
      }
    >
      <Segmented
        aria-label={t('format')}
        value={format}
        onValueChange={(next) => {
          setFormat(next)
          setBox(fitBox(size, RATIOS[next]))
        }}
        choices={FORMATS.map((value) => ({ value, label: value === 'free' ? t('free') : value }))}
      />
      <Frame asset={asset} box={box} ratio={ratio} onChange={setBox} />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {SIDES.map((side) => (
          <SideField
            key={side}
            label={labels[side]}
            value={box[side]}
            onApply={(value) => apply(side, value)}
          />
        ))}
      </div>
    </Dialog>
  )
}

type SideFieldProps = { label: string; value: number; onApply: (value: number) => void }

/** A number of pixels, applied when it is complete: a part of a number may be too small. */
function SideField({ label, value, onApply }: SideFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  function apply(input: HTMLInputElement) {
    if (typed === null) return
    setTyped(null)
    onApply(input.valueAsNumber)
  }
  return (
    <Field label={label}>
      <Input
        type="number"
        inputMode="numeric"
        min={0}
        end="px"
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={(event) => apply(event.currentTarget)}
        onKeyDown={(event) => event.key === 'Enter' && apply(event.currentTarget)}
      />
    </Field>
  )
}

type FrameProps = {
  asset: Asset
  box: CropBox
  ratio: number | null
  onChange: (box: CropBox) => void
}

/** The image with the frame on it. */
function Frame({ asset, box, ratio, onChange }: FrameProps) {
  const { t } = useTranslation('change')
  const image = useRef<HTMLImageElement>(null)
  const drag = useRef<{ box: CropBox; x: number; y: number; resizes: boolean } | null>(null)
  const size = { width: asset.width ?? 1, height: asset.height ?? 1 }

  function press(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const by = Math.max(1, Math.round(size.width / 100))
    const [right, down] = [step[0] * by, step[1] * by]
    onChange(
      event.shiftKey
        ? resizeBox(box, size, { wider: right, higher: down, ratio })
        : moveBox(box, size, right, down),
    )
  }
  function grab(event: PointerEvent) {
    const resizes = (event.target as HTMLElement).dataset.corner !== undefined
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { box, x: event.clientX, y: event.clientY, resizes }
  }
  function pull(event: PointerEvent) {
    const from = drag.current
    const scale = size.width / (image.current?.clientWidth || 1)
    if (!from) return
    const [right, down] = [(event.clientX - from.x) * scale, (event.clientY - from.y) * scale]
    onChange(
      from.resizes
        ? resizeBox(from.box, size, { wider: right, higher: down, ratio })
        : moveBox(from.box, size, right, down),
    )
  }
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`
  return (
    <div className="relative mx-auto w-fit max-w-full select-none overflow-hidden rounded-m bg-sunken">
      <img
        ref={image}
        src={imageUrl(asset)}
        alt=""
        width={size.width}
        height={size.height}
        draggable={false}
        className="h-auto max-h-[46vh] w-auto max-w-full"
      />
      <button
        type="button"
        aria-label={t('frame', { width: box.width, height: box.height })}
        onKeyDown={press}
        onPointerDown={grab}
        onPointerMove={pull}
        onLostPointerCapture={() => {
          drag.current = null
        }}
        className="absolute cursor-move touch-none border-2 border-white shadow-[0_0_0_9999px_rgb(0_0_0/0.5)] outline-offset-[-5px]"
        style={{
          left: percent(box.x, size.width),
          top: percent(box.y, size.height),
          width: percent(box.width, size.width),
          height: percent(box.height, size.height),
        }}
      >
        <span
          data-corner
          aria-hidden
          className="absolute right-0 bottom-0 size-6 cursor-nwse-resize rounded-tl-s bg-white"
        />
      </button>
    </div>
  )
}
