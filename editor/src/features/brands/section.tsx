import type { ReactNode } from 'react'
import { useId } from 'react'
import { Card } from '@/components/surfaces'
import { classes } from '@/lib/classes'

type SectionProps = { title: string; aside?: ReactNode; children: ReactNode; className?: string }

/** One card of the page of a brand, named by its heading. */
export function Section({ title, aside, children, className }: SectionProps) {
  const id = useId()
  return (
    <Card asChild>
      <section aria-labelledby={id} className={classes('min-w-0 px-5 pt-4.5 pb-5.5 sm:px-6', className)}>
        <div className="mb-3.5 flex items-center gap-2.5">
          <h2 id={id} className="flex-1 font-serif text-[25px] leading-tight">
            {title}
          </h2>
          {aside && <span className="text-muted text-sm">{aside}</span>}
        </div>
        {children}
      </section>
    </Card>
  )
}
