import { CircleAlert } from 'lucide-react'
import { Slot } from 'radix-ui'
import { type ReactElement, type ReactNode, useId } from 'react'
import { classes } from '@/lib/classes'

type FieldProps = {
  label: ReactNode
  /** The error message; announced when it appears. */
  error?: string | undefined
  help?: ReactNode
  /** Content beside the label, on the right: a link, a count. Tab reaches it after the control. */
  aside?: ReactNode
  required?: boolean
  hideLabel?: boolean
  className?: string
  /** The `data-part` of the field: where it is within the value that is edited. */
  part?: { 'data-part': string }
  /** Moves the focus to the part that the error is about; the error is then a button. */
  onErrorClick?: (() => void) | undefined
  /** The control. It receives id, aria-invalid, aria-describedby and aria-required. */
  children: ReactElement
}

/** A labelled control with help and error, associated by ARIA attributes. */
export function Field(props: FieldProps) {
  const { label, error, help, aside, required, hideLabel, className, part, onErrorClick, children } = props
  const id = useId()
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div
      {...part}
      className={classes(
        'min-w-0 gap-1.5',
        aside ? 'grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 *:col-span-2' : 'flex flex-col',
        className,
      )}
    >
      <label
        id={`${id}-label`}
        htmlFor={id}
        className={classes('font-[550] text-sm', aside && 'col-span-1!', hideLabel && !aside && 'sr-only')}
      >
        {label}
      </label>
      <Slot.Root
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
        aria-required={required || undefined}
      >
        {children}
      </Slot.Root>
      {aside && <div className="col-span-1! col-start-2! row-start-1">{aside}</div>}
      {help && (
        <div id={`${id}-help`} className="text-muted text-xs">
          {help}
        </div>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="animate-fade text-[12.5px] text-madder-text">
          {onErrorClick ? <ErrorButton onClick={onErrorClick}>{error}</ErrorButton> : error}
        </p>
      )}
    </div>
  )
}

/** The sentence of an error, which leads to what it is about. */
export function ErrorButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="rounded-xs text-left underline decoration-dotted underline-offset-3 hover:decoration-solid"
      onClick={onClick}
    >
      {children}
    </button>
  )
}

type FormErrorProps = {
  /** What failed. Nothing is rendered without it. */
  title: string | null | undefined
  /** The reason and the remedy. */
  children?: ReactNode
}

/** The error of a whole form, announced when it appears. */
export function FormError({ title, children }: FormErrorProps) {
  return (
    <div role="alert" className="empty:hidden">
      {title && (
        <div className="flex animate-fade gap-2.5 rounded-m border border-madder/35 bg-madder/7 px-3.5 py-3 text-left">
          <CircleAlert aria-hidden className="mt-px size-4.5 text-madder-text" />
          <div className="min-w-0 flex-1">
            <p className="font-semibold text-madder-text">{title}</p>
            {children && <div className="mt-0.5 text-muted text-sm">{children}</div>}
          </div>
        </div>
      )}
    </div>
  )
}
