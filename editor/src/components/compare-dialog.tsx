import type { ReactNode } from 'react'
import { Dialog } from './dialog'

/** One side of a comparison; `notes` are under its title. */
export type Side = { key: string; title: string; content: ReactNode; notes: readonly ReactNode[] }

type CompareDialogProps = { title: string; sides: readonly Side[]; onClose: () => void }

/** Two results side by side; open while there are two. */
export function CompareDialog({ title, sides, onClose }: CompareDialogProps) {
  return (
    <Dialog open={sides.length === 2} onOpenChange={(open) => !open && onClose()} title={title} size="xl">
      <div className="grid grid-cols-2 gap-3 sm:gap-4">
        {sides.map(({ key, title: name, content, notes }) => (
          <figure key={key} className="min-w-0">
            {content}
            <figcaption className="wrap-anywhere mt-2">
              <span className="font-semibold">{name}</span>
              {notes.filter(Boolean).map((note, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the notes of a side never change places.
                <span key={index} className="line-clamp-3 text-muted text-sm">
                  {note}
                </span>
              ))}
            </figcaption>
          </figure>
        ))}
      </div>
    </Dialog>
  )
}
