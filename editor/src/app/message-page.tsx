import type { ReactNode } from 'react'
import { Mark } from '@/components/logo'

type BlankProps = { title: string; help: string; children: ReactNode }

/** A page that has only one thing to say. */
export function Blank({ title, help, children }: BlankProps) {
  return (
    <main className="grid min-h-[80dvh] place-items-center px-6 text-center">
      <div className="flex flex-col items-center gap-3">
        <Mark className="mb-3 size-10 rounded-m" />
        <h1 className="font-serif text-hero">{title}</h1>
        <p className="mb-3 text-md text-muted">{help}</p>
        {children}
      </div>
    </main>
  )
}
