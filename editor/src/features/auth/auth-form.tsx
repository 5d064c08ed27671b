import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type FormEvent, type FormEventHandler, type ReactNode, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type { ZodMiniType } from 'zod/mini'
import { Button } from '@/components/button'
import { FormError } from '@/components/field'
import { isApiError, messageOf } from '@/lib/api/error'
import { useTitle } from '@/lib/browser-hooks'

type AuthFormProps = {
  title: string
  help?: ReactNode
  onSubmit: FormEventHandler<HTMLFormElement>
  failure: Failure | null
  busy: boolean
  /** The label of the submit button. */
  submit: string
  disabled?: boolean
  /** Links to the other sign-in pages. */
  footer: ReactNode
  children: ReactNode
}

/** The layout of the sign-in forms: fields, error, button. */
export function AuthForm({ title, help, onSubmit, failure, children, ...rest }: AuthFormProps) {
  const { busy, submit, disabled, footer } = rest
  useTitle(title)
  return (
    <form noValidate className="flex flex-col gap-4.5" onSubmit={onSubmit}>
      <header className="mb-1.5">
        <h1 className="font-serif text-display">{title}</h1>
        {help && <p className="mt-3 text-md text-muted">{help}</p>}
      </header>
      {children}
      <FormError title={failure?.title}>{failure?.reason}</FormError>
      <Button type="submit" variant="primary" size="lg" shape="block" busy={busy} disabled={disabled}>
        {submit}
      </Button>
      {footer}
    </form>
  )
}

export type Failure = { title: string; reason: string | null }

/**
 * A sign-in form, validated on submit and from then on at every change. `submit` may throw: errors of fields are
 * shown at the fields, all others above the form under the title `failed`.
 */
export function useAuthForm<Values extends FieldValues>(
  schema: ZodMiniType<Values, Values>,
  defaultValues: DefaultValues<Values>,
  {
    failed,
    submit,
    fields = {},
  }: {
    failed: (error: unknown) => string
    submit: (values: Values) => Promise<void>
    fields?: Record<string, Path<Values>>
  },
) {
  const form = useForm<Values, unknown, Values>({
    resolver: standardSchemaResolver(schema),
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const [failure, setFailure] = useState<Failure | null>(null)

  function explain(error: unknown): void {
    if (!isApiError(error)) console.error(error)
    let marked = false
    for (const refused of isApiError(error) ? error.errors : []) {
      const field = fields[refused.path.split('.').at(-1) ?? '']
      if (!field) continue
      form.setError(field, { message: refused.message }, { shouldFocus: !marked })
      marked = true
    }
    if (!marked) setFailure({ title: failed(error), reason: whyOf(error, failed(error)) })
  }

  const { isSubmitting: busy } = form.formState
  const send = form.handleSubmit(async (values) => {
    setFailure(null)
    await submit(values).catch(explain)
  })
  // Enter in a field would submit again while a request is pending.
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void send(event)
  }
  return { form, frame: { onSubmit, failure, busy }, errors: form.formState.errors }
}

function whyOf(error: unknown, title: string): string | null {
  const why = messageOf(error)
  return why === title ? null : why
}
