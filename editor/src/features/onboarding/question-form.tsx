import { type ComponentProps, type ReactNode, useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTitle } from '@/lib/browser-hooks'
import { type Answers, answers } from '@/lib/onboarding'

type QuestionFormProps = Omit<ComponentProps<'form'>, 'title'> & { title: string; help: ReactNode }

/** One question per page, with its heading and input. */
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

/** Stores every answer at once, so that a reload restores it. */
export function useSavedAnswers<Values extends Partial<Answers>>(form: UseFormReturn<Values>): void {
  const { subscribe } = form
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => answers.add(values) }),
    [subscribe],
  )
}
