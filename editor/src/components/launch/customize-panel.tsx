import { Undo2, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { classes } from '@/lib/classes'
import { formatCost } from '@/lib/format'
import { formatExpectedSeconds } from '@/lib/launch/estimate'
import { promptField } from '@/lib/launch/fields'
import type { Launch } from '@/lib/launch/use-launch'
import { Button } from '../button'
import { IconButton } from '../icon-button'
import { InputsForm } from './inputs-form'
import { StopAt } from './stop-at'

type CustomizePanelProps = {
  id: string
  launch: Launch
  /** Focuses the first field that needs a value: the panel was opened because of it. */
  asksForInput: boolean
  onClose: () => void
  className?: string
}

const WRONG = '[aria-invalid=true], [aria-required=true]'

/** What the launch makes and how, one row per node with its cost, and the amount at which the run stops. */
export function CustomizePanel({ id, launch, asksForInput, onClose, className }: CustomizePanelProps) {
  const { t } = useTranslation(['launch', 'common'])
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!asksForInput) return
    const asking = [...(panel.current?.querySelectorAll<HTMLElement>(WRONG) ?? [])]
    const open = asking.find((one) => !('value' in one && one.value) || one.ariaInvalid === 'true')
    ;(open ?? asking[0])?.focus()
  }, [asksForInput])
  const { estimate } = launch
  const inBar = new Set([promptField(launch.fields)?.id, launch.brand?.field.id])
  const fields = launch.fields.filter((field) => !inBar.has(field.id))
  const time = formatExpectedSeconds(estimate?.seconds)
  function closeOnEscape(event: KeyboardEvent) {
    // Menus and lists of the panel close themselves first.
    const isInside = event.target instanceof Node && panel.current?.contains(event.target)
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
    event.preventDefault()
    onClose()
  }
  return (
    <section
      ref={panel}
      id={id}
      aria-label={t('customizeTitle')}
      onKeyDown={closeOnEscape}
      className={classes(
        '@container animate-appear rounded-xl border border-hairline bg-surface px-4 pt-4 pb-2 text-left shadow-card sm:px-5.5',
        className,
      )}
    >
      <header className="flex items-center gap-1">
        <h2 className="flex-1 font-serif text-[25px] leading-tight">{t('customizeTitle')}</h2>
        <Button variant="ghost" size="sm" onClick={launch.reset}>
          <Undo2 aria-hidden />
          {t('form.reset')}
        </Button>
        <IconButton
          label={t('common:close')}
          icon={<X />}
          size="sm"
          tooltip={false}
          onClick={onClose}
          className="-mr-2"
        />
      </header>
      <div className="py-3">
        {fields.length === 0 ? (
          <p className="text-muted">{t('form.none')}</p>
        ) : (
          <InputsForm
            fields={fields}
            values={launch.filled}
            errors={launch.rejected}
            costs={estimate?.steps}
            onChange={launch.change}
            imageOf={launch.imageOf}
          />
        )}
      </div>
      <footer className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-hairline border-t py-3">
        <StopAt launch={launch} />
        <output className="ml-auto flex min-h-9 items-center gap-5 text-sm">
          <span className="sr-only">{t('estimate')}: </span>
          {time && <span className="inline-block first-letter:uppercase">{t('form.inAll', { time })}</span>}
          <span className="min-w-18 text-right font-mono text-base">{formatCost(estimate)}</span>
        </output>
      </footer>
    </section>
  )
}
