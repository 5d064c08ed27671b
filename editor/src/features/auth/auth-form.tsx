import type { ComponentProps, ReactNode } from 'react'
import { useTitle } from '@/lib/title'

type AuthFormProps = ComponentProps<'form'> & { title: string; help?: ReactNode }

/** The column that the pages before the session have in common. */
export function AuthForm({ title, help, children, ...rest }: AuthFormProps) {
  useTitle(title)
  return (
    <form noValidate className="flex flex-col gap-4.5" {...rest}>
      <header className="mb-1.5">
        <h1 className="font-serif text-display">{title}</h1>
        {help && <p className="mt-3 text-md text-muted">{help}</p>}
      </header>
      {children}
    </form>
  )
}
