import type { ReactNode } from 'react'
import { classes } from '@/lib/classes'
import { Button, type ButtonProps } from './button'
import { Tooltip } from './tooltip'

const width = { sm: 'w-7', md: 'w-9', lg: 'w-11' } as const

type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label' | 'shape' | 'asChild'> & {
  /** The tooltip and accessible name. */
  label: string
  /** The icon element. */
  icon: ReactNode
  /** A keyboard shortcut to show in the tooltip. */
  shortcut?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  tooltip?: boolean
}

export function IconButton({
  label,
  icon,
  shortcut,
  side = 'bottom',
  tooltip = true,
  size,
  className,
  variant = 'ghost',
  ...rest
}: IconButtonProps) {
  const button = (
    <Button
      aria-label={label}
      size={size}
      variant={variant}
      className={classes('px-0', width[size ?? 'md'], className)}
      {...rest}
    >
      {icon}
    </Button>
  )
  if (!tooltip) return button
  return (
    <Tooltip label={label} shortcut={shortcut} side={side}>
      {button}
    </Tooltip>
  )
}
