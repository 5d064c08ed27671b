import { FileUp, ImageUp } from 'lucide-react'

type DropOverlayProps = {
  shown: boolean
  title: string
  help?: string | undefined
  accepts?: 'images' | 'files'
}

/** Covers the page while files are dragged over it, and explains the effect of dropping them. */
export function DropOverlay({ shown, title, help, accepts = 'images' }: DropOverlayProps) {
  if (!shown) return null
  const Glyph = accepts === 'files' ? FileUp : ImageUp
  return (
    <div className="pointer-events-none fixed inset-0 z-60 grid animate-fade place-items-center bg-scrim p-5 backdrop-blur-[2px]">
      <div className="grid size-full place-items-center rounded-xl border-2 border-cobalt border-dashed bg-surface/80">
        <div className="text-center">
          <Glyph aria-hidden className="mx-auto mb-3 size-8 text-cobalt" />
          <p className="font-serif text-title">{title}</p>
          {help && <p className="mt-1 text-muted">{help}</p>}
        </div>
      </div>
    </div>
  )
}
