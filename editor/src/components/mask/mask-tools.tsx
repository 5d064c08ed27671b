import {
  Brush as BrushIcon,
  Contrast,
  Eraser,
  Hand,
  Maximize,
  Redo2,
  Trash2,
  Undo2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button'
import { Segmented } from '../segmented'
import { Slider } from '../slider'
import type { Brush } from './painter'

/** What changes the whole mask or the view. */
export type MaskActions = {
  readonly undo: () => void
  readonly redo: () => void
  readonly invert: () => void
  readonly clear: () => void
  readonly zoom: (factor: number) => void
  readonly fit: () => void
}

export const ZOOM_STEP = 1.25

type MaskToolsProps = {
  brush: Brush
  onBrush: (brush: Brush) => void
  /** The largest diameter of the brush, in pixels of the image. */
  maxSize: number
  zoom: number
  actions: MaskActions
  canUndo: boolean
  canRedo: boolean
  isEmpty: boolean
}

export function MaskTools({
  brush,
  onBrush,
  maxSize,
  zoom,
  actions,
  canUndo,
  canRedo,
  isEmpty,
}: MaskToolsProps) {
  const { t } = useTranslation('mask')
  const size = Math.round(brush.radius * 2)
  return (
    <fieldset
      aria-label={t('tools')}
      className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-2 max-sm:gap-x-2"
    >
      <Segmented
        aria-label={t('tool.label')}
        value={brush.tool}
        onValueChange={(tool) => onBrush({ ...brush, tool })}
        className="min-w-64 max-sm:w-full"
        choices={[
          { value: 'paint', label: t('tool.paint'), icon: <BrushIcon /> },
          { value: 'erase', label: t('tool.erase'), icon: <Eraser /> },
          { value: 'move', label: t('tool.move'), icon: <Hand /> },
        ]}
      />
      <Amount label={t('size')} text={t('pixels', { size })}>
        <Slider
          aria-label={t('size')}
          min={1}
          max={maxSize}
          step={1}
          value={size}
          onValueChange={(next) => onBrush({ ...brush, radius: next / 2 })}
        />
      </Amount>
      <Amount label={t('hardness')} text={t('percent', { value: Math.round(brush.hardness * 100) })}>
        <Slider
          aria-label={t('hardness')}
          min={0}
          max={100}
          step={5}
          value={Math.round(brush.hardness * 100)}
          onValueChange={(next) => onBrush({ ...brush, hardness: next / 100 })}
        />
      </Amount>
      <div className="flex flex-wrap items-center gap-0.5">
        <IconButton label={t('undo')} icon={<Undo2 />} disabled={!canUndo} onClick={actions.undo} />
        <IconButton label={t('redo')} icon={<Redo2 />} disabled={!canRedo} onClick={actions.redo} />
        <IconButton label={t('invert')} icon={<Contrast />} onClick={actions.invert} />
        <IconButton label={t('clear')} icon={<Trash2 />} disabled={isEmpty} onClick={actions.clear} />
      </div>
      <div className="ml-auto flex items-center gap-0.5">
        <IconButton label={t('zoomOut')} icon={<ZoomOut />} onClick={() => actions.zoom(1 / ZOOM_STEP)} />
        <span className="min-w-14 text-center max-sm:min-w-10 font-mono text-muted text-xs">
          {t('percent', { value: Math.round(zoom * 100) })}
        </span>
        <IconButton label={t('zoomIn')} icon={<ZoomIn />} onClick={() => actions.zoom(ZOOM_STEP)} />
        <IconButton label={t('fit')} icon={<Maximize />} onClick={actions.fit} />
      </div>
    </fieldset>
  )
}

type AmountProps = { label: string; text: string; children: React.ReactNode }

function Amount({ label, text, children }: AmountProps) {
  return (
    <div className="flex min-w-42 flex-1 flex-col gap-0.5 max-sm:min-w-30 sm:max-w-56">
      <span aria-hidden className="flex justify-between gap-2 text-xs">
        <span className="font-[550]">{label}</span>
        <span className="font-mono text-muted">{text}</span>
      </span>
      {children}
    </div>
  )
}
