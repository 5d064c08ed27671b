import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type Answers, answers } from '@/lib/onboarding'

/** Keeps every answer as it is given, so that a reload finds it again. */
export function useSavedAnswers<Values extends Partial<Answers>>(form: UseFormReturn<Values>): void {
  const { subscribe } = form
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => answers.add(values) }),
    [subscribe],
  )
}
