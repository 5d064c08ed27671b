import { ChevronDown, ChevronUp, LocateFixed, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { IconButton } from '@/components/icon-button'
import { VariableChip, VariableValue } from '@/components/variable/variable-chip'
import { useSession } from '@/document/use-session'
import { selectUses } from '@/document/variable-actions'
import { titleOf } from '@/graph/connect'
import { type FlowVariable, findNode } from '@/graph/document'
import { moveVariable, removeVariable } from '@/graph/edits/variables'
import { settingAt } from '@/graph/setting-fields'
import type { VariableUse } from '@/graph/variables'
import { classes } from '@/lib/classes'
import { VariableForm } from './variable-form'

type VariableRowProps = {
  variable: FlowVariable
  uses: readonly VariableUse[]
  isOpen: boolean
  isFirst: boolean
  isLast: boolean
}

/** One variable: its name and value, and its form once it is open. */
export function VariableRow({ variable, uses, isOpen, isFirst, isLast }: VariableRowProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const formId = useId()
  const { name } = variable
  return (
    <li className="py-2">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? formId : undefined}
          onClick={() => session.view.setState({ variable: isOpen ? null : name })}
          className="group -mx-2 flex w-[calc(100%+16px)] items-center gap-2 rounded-s px-2 py-1.5 text-left hover:bg-sunken"
        >
          <VariableChip name={name} className="max-w-[55%] flex-none" />
          <span className="flex min-w-0 flex-1 justify-end text-muted text-sm">
            {!isOpen && <VariableValue variable={variable} />}
          </span>
          <ChevronDown
            aria-hidden
            className={classes('size-4 flex-none text-muted transition-transform', isOpen && 'rotate-180')}
          />
        </button>
      </h3>
      {isOpen ? (
        <div id={formId} className="flex flex-col gap-3 pt-2 pb-1.5">
          <VariableForm variable={variable} />
          <Uses variable={variable} uses={uses} />
          {session.canEdit && (
            <RowActions variable={variable} uses={uses} isFirst={isFirst} isLast={isLast} />
          )}
        </div>
      ) : (
        <div className="flex items-center gap-2 text-muted text-xs">
          <span className="min-w-0 flex-1 truncate">
            {variable.description || t(`variables.types.${variable.type}`)}
          </span>
          <Uses variable={variable} uses={uses} />
        </div>
      )}
    </li>
  )
}

type UsesProps = Pick<VariableRowProps, 'variable' | 'uses'>

/** How often a variable is used; selects the nodes that use it. */
function Uses({ variable, uses }: UsesProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  if (uses.length === 0) return <span className="flex-none text-faint text-xs">{t('variables.unused')}</span>
  return (
    <button
      type="button"
      title={t('variables.select', { name: variable.name })}
      onClick={() => selectUses(session, variable.name)}
      className="inline-flex flex-none items-center gap-1 self-start rounded-xs py-1 text-cobalt-text text-xs hover:underline"
    >
      <LocateFixed aria-hidden className="size-3.5" />
      {t('variables.uses', { count: uses.length })}
    </button>
  )
}

type RowActionsProps = Omit<VariableRowProps, 'isOpen'>

function RowActions({ variable, uses, isFirst, isLast }: RowActionsProps) {
  const { t } = useTranslation('canvas')
  const session = useSession()
  const [asks, setAsks] = useState<boolean | null>(null)
  const { name } = variable
  const remove = () => {
    session.edit((flow) => removeVariable(flow, session.catalog, name))
    session.flow.settle()
    session.view.setState({ variable: null })
  }
  const move = (by: -1 | 1) => {
    session.edit((flow) => moveVariable(flow, name, by))
    session.flow.settle()
  }
  if (asks)
    return (
      <div role="alert" className="flex flex-col items-start gap-2 rounded-m bg-sunken p-3 text-sm">
        <p className="wrap-anywhere">
          {t('variables.deleteUsed', { name, count: uses.length, places: placesOf(uses) })}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" variant="primary" autoFocus onClick={remove}>
            {t('variables.deletePlaced')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setAsks(false)}>
            {t('variables.cancel')}
          </Button>
        </div>
      </div>
    )
  return (
    <div className="flex items-center gap-0.5">
      <IconButton
        size="sm"
        label={t('variables.up', { name })}
        icon={<ChevronUp />}
        disabled={isFirst}
        onClick={() => move(-1)}
      />
      <IconButton
        size="sm"
        label={t('variables.down', { name })}
        icon={<ChevronDown />}
        disabled={isLast}
        onClick={() => move(1)}
      />
      <span className="flex-1" />
      <IconButton
        size="sm"
        label={t('variables.delete', { name })}
        icon={<Trash2 />}
        className="text-madder-text"
        // After Cancel, which is gone.
        autoFocus={asks === false}
        onClick={() => (uses.length > 0 ? setAsks(true) : remove())}
      />
    </div>
  )

  /** The first places where it is used, and how many more there are. */
  function placesOf(list: readonly VariableUse[]): string {
    const shown = list.slice(0, MAX_NAMED_PLACES).map(({ node: id, setting }) => {
      const node = findNode(session.document, id)
      const type = node && session.catalog.typeOf(node)
      return t('variables.place', {
        setting: settingAt(type, setting).title,
        node: node ? titleOf(node, session.catalog) : id,
      })
    })
    const rest = list.length - shown.length
    return [...shown, rest > 0 && t('variables.more', { count: rest })].filter(Boolean).join(', ')
  }
}

const MAX_NAMED_PLACES = 3
