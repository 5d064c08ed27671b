import { ChevronDown, Image, Info, SlidersHorizontal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '@/components/icon-button'
import { NodeTile } from '@/components/node/node-appearance'
import { Tab, TabPanel, TabRow, Tabs } from '@/components/tabs'
import { useCatalog, useDocument, useIsEmpty, useSession, useView } from '@/document/use-session'
import type { InspectorTab } from '@/document/view-store'
import { titleOf } from '@/graph/connect'
import { type FlowNode, findNode } from '@/graph/document'
import { renameNode } from '@/graph/edits/nodes'
import { readingOrder } from '@/graph/reading-order'
import { classes } from '@/lib/classes'
import { AboutTab } from './about-tab'
import { LaunchPanel } from './launch-panel'
import { NodeMenu } from './node-menu'
import { ResultTab } from './result-tab'
import { SettingsTab } from './settings-tab'

const panelLook =
  'pointer-events-auto flex min-h-0 flex-col overflow-hidden rounded-l border border-hairline bg-surface shadow-card'

/** Opens over the canvas: a bottom sheet on phones, a side panel on tablets. */
const openLook =
  'fixed inset-x-3 bottom-3 z-20 h-[min(64dvh,560px)] animate-appear shadow-float md:inset-x-auto md:top-[78px] md:right-4 md:bottom-4 md:h-auto md:w-[312px]'

/** The selected node on narrow screens: its name, and the whole inspector on request. */
export function InspectorDrawer() {
  const open = useView((view) => view.isInspectorOpen)
  const chosen = useView((view) => (view.nodes.length === 1 ? view.nodes[0] : undefined))
  const node = useDocument((flow) => flow.nodes.find((one) => one.id === chosen))
  const session = useSession()
  const turn = (next: boolean) => session.view.setState({ isInspectorOpen: next })
  if (!node && open && !session.canEdit) {
    return <LaunchPanel className={classes(panelLook, openLook)} onClose={() => turn(false)} />
  }
  if (!node) return null
  return <NodePanel key={node.id} node={node} drawer={{ open, onOpen: turn }} />
}

/** The selected node: its settings, its result and its description. Visitors launch the agent here instead. */
export function Inspector() {
  const chosen = useView((view) => (view.nodes.length === 1 ? view.nodes[0] : undefined))
  const node = useDocument((flow) => flow.nodes.find((one) => one.id === chosen))
  return node ? <NodePanel key={node.id} node={node} /> : <LaunchPanel className={panelLook} />
}

/** The inspector while no node is selected: its tabs, which open it for the first node. */
export function InspectorRail() {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const isEmpty = useIsEmpty()
  const show = (tab: InspectorTab) => {
    const [first] = readingOrder(session.document).filter((id) => findNode(session.document, id))
    if (first) session.view.show(first, tab)
  }
  const tabs = [
    { tab: 'settings', icon: <SlidersHorizontal /> },
    { tab: 'result', icon: <Image /> },
    { tab: 'about', icon: <Info /> },
  ] as const
  return (
    <div
      role="toolbar"
      aria-orientation="vertical"
      aria-label={t('label')}
      className="pointer-events-auto flex flex-col gap-1 self-start rounded-pill border border-hairline bg-surface p-[5px] shadow-card"
    >
      {tabs.map(({ tab, icon }) => (
        <IconButton
          key={tab}
          size="sm"
          label={t(tab)}
          icon={icon}
          disabled={isEmpty}
          onClick={() => show(tab)}
        />
      ))}
    </div>
  )
}

type Drawer = { open: boolean; onOpen: (open: boolean) => void }

function NodePanel({ node, drawer }: { node: FlowNode; drawer?: Drawer }) {
  const { t } = useTranslation('inspector')
  const type = useCatalog().typeOf(node)
  return (
    <section
      data-inspector
      data-region="inspector"
      aria-label={t('label')}
      className={classes(panelLook, drawer && (drawer.open ? openLook : 'md:w-[312px] md:self-end'))}
    >
      <header
        className={classes(
          'flex flex-none items-center gap-2.5 px-4 py-3.5',
          (!drawer || drawer.open) && 'border-hairline border-b',
        )}
      >
        <NodeTile type={type} />
        <div className="min-w-0 flex-1">
          <NodeTitle node={node} />
          <p className="truncate text-muted text-xs" title={type?.summary}>
            {type?.summary ?? node.type}
          </p>
        </div>
        <NodeMenu node={node} type={type} />
        {drawer && (
          <IconButton
            label={t(drawer.open ? 'close' : 'open')}
            icon={drawer.open ? <ChevronDown /> : <SlidersHorizontal />}
            aria-expanded={drawer.open}
            variant={drawer.open ? 'ghost' : 'quiet'}
            tooltip={false}
            onClick={() => drawer.onOpen(!drawer.open)}
          />
        )}
      </header>
      {(!drawer || drawer.open) && <NodeTabs node={node} />}
    </section>
  )
}

function NodeTabs({ node }: { node: FlowNode }) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const tab = useView((view) => view.tab)
  const type = useCatalog().typeOf(node)
  return (
    <Tabs
      value={tab}
      onValueChange={(next) => session.view.setState({ tab: next as typeof tab })}
      className="flex min-h-0 flex-1 flex-col"
    >
      <TabRow className="flex-none px-4 pt-2.5">
        <Tab value="settings">{t('settings')}</Tab>
        <Tab value="result">{t('result')}</Tab>
        <Tab value="about">{t('about')}</Tab>
      </TabRow>
      <TabPanel value="settings" className="scrollbar-quiet min-h-0 flex-1 overflow-y-auto px-4 py-3.5">
        <SettingsTab node={node} type={type} />
      </TabPanel>
      <TabPanel value="result" className="scrollbar-quiet min-h-0 flex-1 overflow-y-auto px-4 py-3.5">
        <ResultTab node={node} type={type} />
      </TabPanel>
      <TabPanel value="about" className="scrollbar-quiet min-h-0 flex-1 overflow-y-auto px-4 py-3.5">
        <AboutTab node={node} type={type} />
      </TabPanel>
    </Tabs>
  )
}

function NodeTitle({ node }: { node: FlowNode }) {
  const { t } = useTranslation('inspector')
  const session = useSession()
  const usual = session.catalog.typeOf(node)?.title ?? node.type
  if (!session.canEdit) return <h2 className="truncate font-semibold">{titleOf(node, session.catalog)}</h2>
  return (
    <h2>
      <input
        aria-label={t('rename')}
        value={node.title ?? ''}
        placeholder={usual}
        onChange={(event) =>
          session.edit((flow) => renameNode(flow, node.id, event.target.value), `rename:${node.id}`)
        }
        onBlur={() => session.flow.settle()}
        className="-mx-1 w-full truncate rounded-s bg-transparent px-1 font-semibold placeholder:text-ink hover:bg-sunken focus-visible:field-focus"
      />
    </h2>
  )
}
