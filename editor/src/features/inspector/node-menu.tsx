import {
  Brush,
  CircleSlash,
  Columns3,
  CopyPlus,
  Ellipsis,
  Pin,
  Play,
  Redo2,
  RotateCcw,
  Trash2,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '@/components/menu'
import { duplicateSelected, pinForNode, removeSelected, toggleMode, togglePin } from '@/document/actions'
import { openComparison } from '@/document/comparison'
import { canMask, imagesOf } from '@/document/mask-actions'
import { runFrom, runTo } from '@/document/run-actions'
import { useSession } from '@/document/use-session'
import type { NodeType } from '@/graph/catalog'
import type { FlowNode } from '@/graph/document'
import { changeType, setResult } from '@/graph/edits/nodes'
import { canBypass } from '@/graph/pins'
import { toastError } from '@/lib/toasts'

/** Further actions for one node. */
export function NodeMenu({ node, type }: { node: FlowNode; type: NodeType | undefined }) {
  const { t } = useTranslation('inspector')
  const { t: words } = useTranslation('canvas')
  const session = useSession()
  if (!session.canEdit) return null
  const image = canMask(session) ? imagesOf(session, node)[0] : undefined
  const shown = node.result === undefined ? 'auto' : node.result ? 'always' : 'never'
  const next = type?.replaced_by ? session.catalog.type(type.replaced_by) : undefined
  const started = (run: Promise<void>) =>
    void run.catch((error: unknown) => toastError(words('run.failedToStart'), error))
  return (
    <Menu trigger={<IconButton size="sm" label={t('more')} icon={<Ellipsis />} tooltip={false} />}>
      <MenuItem icon={<Play />} onSelect={() => started(runTo(session, node.id))}>
        {words('menu.runTo')}
      </MenuItem>
      <MenuItem icon={<RotateCcw />} onSelect={() => started(runFrom(session, node.id))}>
        {words('menu.runAgain')}
      </MenuItem>
      <MenuItem icon={<Columns3 />} onSelect={() => openComparison(session, node.id)}>
        {words('menu.compare')}
      </MenuItem>
      <MenuSeparator />
      {(node.pin || pinForNode(session, node)) && (
        <MenuItem icon={<Pin />} onSelect={() => togglePin(session)}>
          {words(node.pin ? 'menu.unpin' : 'menu.pin')}
        </MenuItem>
      )}
      {image && (
        <MenuItem icon={<Brush />} onSelect={() => session.view.setState({ masking: image })}>
          {words('menu.mask')}
        </MenuItem>
      )}
      {canBypass(node, session.catalog) && (
        <MenuItem icon={<Redo2 />} onSelect={() => toggleMode(session, 'bypassed')}>
          {words(node.mode === 'bypassed' ? 'menu.unbypass' : 'menu.bypass')}
        </MenuItem>
      )}
      <MenuItem icon={<CircleSlash />} onSelect={() => toggleMode(session, 'disabled')}>
        {words(node.mode === 'disabled' ? 'menu.enable' : 'menu.disable')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<CopyPlus />} onSelect={() => duplicateSelected(session)}>
        {words('menu.duplicate')}
      </MenuItem>
      {next && (
        <MenuItem
          icon={<RotateCcw />}
          onSelect={() => session.edit((flow) => changeType(flow, node.id, next))}
        >
          {t('replace', { title: next.title })}
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 />} danger onSelect={() => removeSelected(session)}>
        {words('menu.delete')}
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label={t('showInResults.label')}
        value={shown}
        onValueChange={(choice) =>
          session.edit((flow) =>
            setResult(flow, node.id, choice === 'auto' ? undefined : choice === 'always'),
          )
        }
        choices={[
          { value: 'auto', label: t('showInResults.auto') },
          { value: 'always', label: t('showInResults.always') },
          { value: 'never', label: t('showInResults.never') },
        ]}
      />
    </Menu>
  )
}
