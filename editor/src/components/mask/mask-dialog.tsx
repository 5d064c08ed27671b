import '@/lib/i18n/mask'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/lib/api/assets'
import { messageOf } from '@/lib/api/error'
import { uploadAsset } from '@/lib/api/uploads'
import { useOnline } from '@/lib/browser-hooks'
import { useUnsavedWork } from '@/lib/unsaved-work'
import { Button } from '../button'
import { Dialog } from '../dialog'
import { LoadError } from '../load-error'
import { EmptyState, Skeleton } from '../surfaces'
import { type MaskActions, MaskTools } from './mask-tools'
import { PaintArea } from './paint-area'
import type { Brush, Painter } from './painter'
import { EMPTY_PAINTING, redo, undo, withStep } from './painting'
import { renderMask } from './render-mask'
import { type CanvasState, useCanvas } from './use-canvas'

export type MaskDialogProps = {
  /** The asset id of the image. */
  imageId: string
  /** The asset id of the mask to start from. */
  maskId?: string | null
  onCancel: () => void
  /** The mask is uploaded. */
  onMask: (mask: Asset) => void
}

/** Paints a mask on an image and uploads it. What was painted is never lost without a question. */
export default function MaskDialog({ imageId, maskId = null, onCancel, onMask }: MaskDialogProps) {
  const { t } = useTranslation(['mask', 'common'])
  const loaded = useCanvas(imageId, maskId)
  const [painting, setPainting] = useState(EMPTY_PAINTING)
  const [isEmpty, setEmpty] = useState(true)
  const [isAsking, setAsking] = useState(false)
  const sending = useSending(loaded, onMask)
  const isChanged = painting.done.length > 0
  useUnsavedWork(isChanged)
  const close = () => (isChanged ? setAsking(true) : onCancel())
  const online = useOnline()
  const reason =
    loaded.status !== 'ready' ? null : !online ? t('offline') : isEmpty && !sending.isBusy ? t('empty') : null
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={t('title')}
      description={t('help')}
      size="page"
      footer={
        <>
          <div className="min-w-0 flex-1 basis-60 text-sm">
            {sending.problem ? (
              <p role="alert" className="text-madder-text">
                {t('notUploaded')} {sending.problem}
              </p>
            ) : (
              <p id="mask-reason" aria-live="polite" className="text-muted">
                {sending.words ?? reason ?? <span className="max-sm:hidden">{t('keysHint')}</span>}
              </p>
            )}
          </div>
          <Button variant="ghost" onClick={close}>
            {t('common:cancel')}
          </Button>
          <Button
            variant="primary"
            busy={sending.isBusy}
            disabled={loaded.status !== 'ready' || isEmpty || !online}
            aria-describedby={reason ? 'mask-reason' : undefined}
            onClick={() => sending.send(painting.done)}
          >
            {sending.problem ? t('common:retry') : t('use')}
          </Button>
        </>
      }
    >
      <Body
        loaded={loaded}
        painting={painting}
        onPainting={setPainting}
        isEmpty={isEmpty}
        onEmpty={setEmpty}
      />
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('discardTitle')}
        description={t('discardText')}
        size="sm"
        footer={
          <>
            <Button variant="ghost" onClick={() => setAsking(false)}>
              {t('keep')}
            </Button>
            <Button variant="danger" onClick={onCancel}>
              {t('discard')}
            </Button>
          </>
        }
      >
        {null}
      </Dialog>
    </Dialog>
  )
}

type BodyProps = {
  loaded: CanvasState
  painting: typeof EMPTY_PAINTING
  onPainting: (change: (painting: typeof EMPTY_PAINTING) => typeof EMPTY_PAINTING) => void
  isEmpty: boolean
  onEmpty: (isEmpty: boolean) => void
}

function Body({ loaded, painting, onPainting, isEmpty, onEmpty }: BodyProps) {
  const { t } = useTranslation('mask')
  if (loaded.status === 'gone') return <EmptyState title={t('gone')}>{t('goneText')}</EmptyState>
  if (loaded.status === 'failed') return <LoadError text={t('notLoaded')} onRetry={loaded.retry} />
  if (loaded.status === 'loading') {
    return (
      <div role="status" aria-label={t('loading')}>
        <Skeleton className="h-[max(240px,calc(100dvh-270px))]" />
      </div>
    )
  }
  return (
    <Painting
      canvas={loaded.canvas}
      painting={painting}
      onPainting={onPainting}
      isEmpty={isEmpty}
      onEmpty={onEmpty}
    />
  )
}

type PaintingProps = Omit<BodyProps, 'loaded'> & {
  canvas: Extract<CanvasState, { status: 'ready' }>['canvas']
}

function Painting({ canvas, painting, onPainting, isEmpty, onEmpty }: PaintingProps) {
  const { t } = useTranslation('mask')
  const painter = useRef<Painter>(null)
  const side = Math.max(canvas.size.width, canvas.size.height)
  const maxSize = Math.max(4, Math.round(side / 2))
  const [brush, setBrush] = useState<Brush>(() => ({
    tool: 'paint',
    radius: Math.max(1, Math.round(side / 24)),
    hardness: 0.8,
  }))
  const [zoom, setZoom] = useState(1)
  const [said, say] = useState('')
  const actions: MaskActions = {
    undo: () => {
      onPainting(undo)
      say(t('undone'))
    },
    redo: () => {
      onPainting(redo)
      say(t('redone'))
    },
    invert: () => {
      onPainting((now) => withStep(now, { kind: 'invert' }))
      say(t('inverted'))
    },
    clear: () => {
      onPainting((now) => withStep(now, { kind: 'clear' }))
      say(t('cleared'))
    },
    zoom: (factor) => painter.current?.zoom(factor),
    fit: () => painter.current?.fit(),
  }
  function press(event: KeyboardEvent) {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    event.preventDefault()
    if (event.shiftKey) actions.redo()
    else actions.undo()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: undo works wherever the focus is among the tools
    <div onKeyDown={press} className="flex flex-col gap-3">
      <MaskTools
        brush={brush}
        onBrush={setBrush}
        maxSize={maxSize}
        zoom={zoom}
        actions={actions}
        canUndo={painting.done.length > 0}
        canRedo={painting.undone.length > 0}
        isEmpty={isEmpty}
      />
      <PaintArea
        canvas={canvas}
        steps={painting.done}
        brush={brush}
        painter={painter}
        onStroke={(stroke) => {
          onPainting((now) => withStep(now, stroke))
          say(t('ended'))
        }}
        onZoom={setZoom}
        onMask={(mask) => onEmpty(mask.isEmpty)}
        onInvert={actions.invert}
        onBrush={setBrush}
        onSay={say}
        maxSize={maxSize}
      />
      <p aria-live="polite" className="sr-only" data-said-mask>
        {said}
      </p>
    </div>
  )
}

/** Renders and uploads the mask. After a failure the painting is still there, to try again. */
function useSending(loaded: CanvasState, onMask: (mask: Asset) => void) {
  const { t } = useTranslation('mask')
  const [progress, setProgress] = useState<number | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  async function send(steps: Parameters<typeof renderMask>[1]) {
    if (loaded.status !== 'ready') return
    const controller = new AbortController()
    stop.current = controller
    const { signal } = controller
    setBusy(true)
    setProblem(null)
    setProgress(null)
    try {
      const blob = await renderMask(loaded.canvas.size, steps, loaded.start, signal)
      const file = new File([blob], 'mask.png', { type: 'image/png' })
      onMask(await uploadAsset(file, { onProgress: setProgress, signal, isIntermediate: true }))
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error))
    } finally {
      if (!signal.aborted) setBusy(false)
    }
  }
  const words = !isBusy
    ? null
    : progress === null
      ? t('preparing')
      : t('uploading', { percent: Math.round(progress * 100) })
  return { send: (steps: Parameters<typeof renderMask>[1]) => void send(steps), isBusy, problem, words }
}
