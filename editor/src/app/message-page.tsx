import type { ReactNode } from 'react'
import { Logo } from '@/components/logo'

type MessagePageProps = { title: string; help: string; children: ReactNode }

/** A page that has only one thing to say. */
export function MessagePage({ title, help, children }: MessagePageProps) {
  return (
    <main className="grid min-h-[80dvh] place-items-center px-6 text-center">
      <div className="flex flex-col items-center gap-3">
        <Logo className="mb-3 size-10 rounded-m" />
        <h1 className="font-serif text-hero">{title}</h1>
        <p className="mb-3 text-md text-muted">{help}</p>
        {children}
      </div>
    </main>
  )
}
