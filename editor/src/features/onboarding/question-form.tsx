import type { ComponentProps, ReactNode } from 'react'
import { useTitle } from '@/lib/use-title'

type QuestionFormProps = Omit<ComponentProps<'form'>, 'title'> & { title: string; help: ReactNode }

/** One thing a screen: what is asked, in large type, and the way to answer. */
export function QuestionForm({ title, help, children, ...rest }: QuestionFormProps) {
  useTitle(title)
  return (
    <form noValidate {...rest}>
      <h1 className="text-center font-serif text-hero max-sm:text-display">{title}</h1>
      <p className="mt-2.5 text-center text-lg text-muted">{help}</p>
      {children}
    </form>
  )
}
