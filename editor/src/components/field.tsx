import { Slot } from 'radix-ui'
import { type ReactElement, type ReactNode, useId } from 'react'
import { classes } from '@/lib/classes'

type FieldProps = {
  label: ReactNode
  /** The sentence that says what is wrong; read out when it appears. */
  error?: string | undefined
  help?: ReactNode
  /** Beside the label, at the right: a link, a count. */
  aside?: ReactNode
  required?: boolean
  hideLabel?: boolean
  className?: string
  /** The one control. It is given id, aria-invalid, aria-describedby and aria-required. */
  children: ReactElement
}

/** A labelled control with its help and its error, tied together for assistive technology. */
export function Field({ label, error, help, aside, required, hideLabel, className, children }: FieldProps) {
  const id = useId()
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={classes('flex min-w-0 flex-col gap-1.5', className)}>
      <div className={classes('flex items-baseline gap-3', hideLabel && !aside && 'sr-only')}>
        <label id={`${id}-label`} htmlFor={id} className="flex-1 font-[550] text-sm">
          {label}
        </label>
        {aside}
      </div>
      <Slot.Root
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        aria-required={required || undefined}
      >
        {children}
      </Slot.Root>
      {help && (
        <div id={`${id}-help`} className="text-muted text-xs">
          {help}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="animate-fade text-[12.5px] text-madder-text">
          {error}
        </p>
      )}
    </div>
  )
}
