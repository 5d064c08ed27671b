import { Braces, Plus, X } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { Dialog } from '@/components/dialog'
import { IconButton } from '@/components/icon-button'
import { returnFocus } from '@/components/overlay'
import { EmptyState } from '@/components/surfaces'
import { useDocument, useSession, useView } from '@/document/use-session'
import { insertVariable } from '@/document/variable-actions'
import { variablesOf } from '@/graph/document'
import { MAX_VARIABLES, usesOf, type VariableUse } from '@/graph/variables'
import { useNarrower, WIDTHS } from '@/lib/browser-hooks'
import { useRowKeys } from './use-row-keys'
import { VariableRow } from './variable-row'

/** What a person writes to use a variable in a text; an example, not a name. */
export const PLACEHOLDER = '{{name}}'
const NO_USES: readonly VariableUse[] = []

/** The variables of the agent: a panel beside the canvas. */
export function VariablesPanel() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const count = useDocument((flow) => variablesOf(flow).length)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus({ preventScroll: true })
    return () => returnFocus(opener)
  }, [])
  return (
    <section
      data-region="variables"
      aria-label={t('variables.title')}
      className="pointer-events-auto flex min-h-0 flex-col overflow-hidden rounded-l border border-hairline bg-surface shadow-card"
    >
      <header className="flex flex-none items-start gap-2 border-hairline border-b px-4 py-3.5">
        <div className="min-w-0 flex-1">
          <h2 ref={heading} tabIndex={-1} className="font-serif text-[26px] leading-tight outline-none">
            {count > 0 ? t('variables.count', { count }) : t('variables.title')}
          </h2>
          {count > 0 && (
            <p className="mt-0.5 text-muted text-sm">{t('variables.help', { placeholder: PLACEHOLDER })}</p>
          )}
        </div>
        <IconButton
          size="sm"
          label={t('variables.close')}
          icon={<X />}
          tooltip={false}
          onClick={() => session.view.setState({ dialog: null, variable: null })}
        />
      </header>
      <VariableList className="scrollbar-quiet min-h-0 flex-1 overflow-y-auto px-4 py-3" />
    </section>
  )
}

/** The same as a dialog, on narrow screens. */
export function VariablesDialog() {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const isNarrow = useNarrower(WIDTHS.desk)
  const open = useView((view) => view.dialog === 'variables') && isNarrow
  const count = useDocument((flow) => variablesOf(flow).length)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => session.view.setState({ dialog: next ? 'variables' : null, variable: null })}
      title={t('variables.title')}
      {...(count > 0 && { description: t('variables.help', { placeholder: PLACEHOLDER }) })}
      size="md"
    >
      <VariableList />
    </Dialog>
  )
}

function VariableList({ className }: { className?: string }) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const document = useDocument((flow) => flow)
  const opened = useView((view) => view.variable)
  const variables = variablesOf(document)
  const keys = useRowKeys(variables.map(({ name }) => name))
  const uses = useMemo(() => usesOf(document, session.catalog), [document, session])
  const list = useRef<HTMLDivElement>(null)
  const isAdded = useRef(false)
  useEffect(() => {
    if (!isAdded.current) return
    isAdded.current = false
    const name = list.current?.querySelector<HTMLInputElement>('li:last-child input')
    name?.focus()
    name?.select()
  })
  const add = session.canEdit && (
    <Button
      size="sm"
      disabled={variables.length >= MAX_VARIABLES}
      onClick={() => {
        isAdded.current = true
        insertVariable(session, t('variables.stem'))
      }}
    >
      <Plus />
      {t('variables.add')}
    </Button>
  )
  if (variables.length === 0)
    return (
      <div className={className}>
        <EmptyState icon={<Braces />} title={t('variables.none')} action={add}>
          {t('variables.noneText', { placeholder: PLACEHOLDER })}
        </EmptyState>
      </div>
    )
  return (
    <div ref={list} className={className}>
      <ul className="divide-y divide-hairline" aria-label={t('variables.title')}>
        {variables.map((variable, at) => (
          <VariableRow
            key={keys[at]}
            variable={variable}
            uses={uses.get(variable.name) ?? NO_USES}
            isOpen={opened === variable.name}
            isFirst={at === 0}
            isLast={at === variables.length - 1}
          />
        ))}
      </ul>
      <div className="mt-3 flex flex-col items-start gap-1.5">
        {add}
        {variables.length >= MAX_VARIABLES && <p className="text-muted text-sm">{t('variables.full')}</p>}
      </div>
    </div>
  )
}
