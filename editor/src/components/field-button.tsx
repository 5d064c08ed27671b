import type { ComponentProps } from 'react'
import { IconButton } from './icon-button'

type FieldButtonProps = Omit<ComponentProps<typeof IconButton>, 'size' | 'className'>

/** A small button beside the label of a field; it does not make the row of the label taller. */
export function FieldButton(props: FieldButtonProps) {
  return <IconButton {...props} size="sm" className="-my-1 h-6 w-6 text-faint" />
}
