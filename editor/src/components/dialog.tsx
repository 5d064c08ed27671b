import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { IconButton } from './icon-button'
import { useReturnFocus } from './overlay'
import { overlayRoot } from './overlay-root'
import { hasClosedTooltip } from './tooltip'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** One line under the title, also read by screen readers. */
  description?: ReactNode
  children: ReactNode
  /** The actions at the bottom. */
  footer?: ReactNode
  /** `page` takes the whole height of the window. */
  size?: 'sm' | 'md' | 'lg' | 'xl' | 'page'
  className?: string
}

const widths = {
  sm: 'max-w-105',
  md: 'max-w-140',
  lg: 'max-w-190',
  xl: 'max-w-270',
  page: 'max-w-330',
} as const

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  className,
}: DialogProps) {
  const { t } = useTranslation('common')
  const onCloseAutoFocus = useReturnFocus(open)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal container={overlayRoot()}>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade overflow-y-auto bg-scrim backdrop-blur-[2px]">
          <div
            className={classes(
              'grid min-h-full grid-cols-[minmax(0,1fr)] place-items-start justify-items-center px-3',
              size === 'page' ? 'py-3' : 'py-[min(12vh,118px)]',
            )}
          >
            <Radix.Content
              {...(description ? {} : { 'aria-describedby': undefined })}
              data-modal
              onCloseAutoFocus={onCloseAutoFocus}
              onKeyDown={(event) => {
                const isInside = event.currentTarget.contains(event.target as Node)
                if (isInside && hasClosedTooltip(event.nativeEvent)) onOpenChange(false)
              }}
              className={classes(
                'relative flex w-full animate-appear flex-col gap-4 rounded-l border border-hairline bg-surface p-6 shadow-float outline-none',
                widths[size],
                className,
              )}
            >
              <header className="flex items-start gap-4">
                <div className="wrap-anywhere min-w-0 flex-1">
                  <Radix.Title className="font-serif text-[30px] leading-[1.1] tracking-[-0.01em]">
                    {title}
                  </Radix.Title>
                  {description && (
                    <Radix.Description className="mt-1.5 text-muted">{description}</Radix.Description>
                  )}
                </div>
                <Radix.Close asChild>
                  <IconButton label={t('close')} icon={<X />} tooltip={false} className="-mt-1 -mr-2" />
                </Radix.Close>
              </header>
              {children}
              {footer && (
                <footer className="flex flex-wrap items-center justify-end gap-2.5">{footer}</footer>
              )}
            </Radix.Content>
          </div>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
