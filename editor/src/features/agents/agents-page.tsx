import { Plus, Upload } from 'lucide-react'
import { RadioGroup } from 'radix-ui'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateAgent, EditAgent } from '@/components/agent/lazy-dialogs'
import { Button } from '@/components/button'
import { DropOverlay } from '@/components/drop-overlay'
import { FileInput } from '@/components/file-input'
import { SearchField } from '@/components/search-field'
import { Tab, TabPanel, TabRow, Tabs } from '@/components/tabs'
import { type AgentTab, CATEGORIES, type Category } from '@/lib/agents/categories'
import type { FlowSummary } from '@/lib/api/flows'
import { useTitle } from '@/lib/browser-hooks'
import { usePageDrop } from '@/lib/launch/use-page-drop'
import { useTypedText } from '@/lib/use-typed-text'
import { AgentList } from './agent-list'
import { useImport } from './use-agent-actions'

type AgentsPageProps = {
  tab: AgentTab
  category: Category | null
  /** Tab and category are stored in the address, so that they can be linked. */
  onNarrow: (narrowing: { tab: AgentTab; category: Category | null }) => void
}

/** All visible agents: the user's own and those of others, including drafts and legacy ones. */
export function AgentsPage({ tab, category, onNarrow }: AgentsPageProps) {
  const { t } = useTranslation(['agents', 'common'])
  useTitle(t('agents:title'))
  const [search, setSearch] = useState('')
  const [text, setText] = useTypedText(search, setSearch)
  const [creating, setCreating] = useState(false)
  const [edited, setEdited] = useState<FlowSummary | null>(null)
  const { isBusy, importFiles } = useImport()
  const take = (files: readonly File[]) => void importFiles(files)
  const dropping = usePageDrop({ onFiles: take, paste: false })
  const tabs: AgentTab[] = ['product', 'own']
  return (
    <div className="mx-auto max-w-280 px-4 pt-6 pb-20 sm:px-6 sm:pt-8.5 xl:px-0">
      <div className="flex flex-wrap items-center gap-2.5">
        <h1 className="flex-1 font-serif text-heading max-sm:basis-full">{t('agents:title')}</h1>
        <SearchField
          value={text}
          onChange={setText}
          label={t('agents:search')}
          placeholder={t('agents:search')}
          className="w-65 max-sm:order-last max-sm:w-full"
        />
        <ImportButton busy={isBusy} onFiles={take} />
        <Button variant="primary" onClick={() => setCreating(true)}>
          <Plus aria-hidden />
          {t('agents:create')}
        </Button>
      </div>
      <Tabs
        value={tab}
        onValueChange={(next) => onNarrow({ tab: next as AgentTab, category })}
        className="mt-6.5"
      >
        <TabRow aria-label={t('agents:title')}>
          <Tab value="product">{t('agents:tab.product', { product: t('common:product') })}</Tab>
          <Tab value="own">{t('agents:tab.own')}</Tab>
        </TabRow>
        <CategoryFilter value={category} onChange={(next) => onNarrow({ tab, category: next })} />
        {tabs.map((one) => (
          <TabPanel key={one} value={one} tabIndex={-1}>
            <AgentList
              query={{ tab: one, text: search, category }}
              onCreate={() => setCreating(true)}
              onEdit={setEdited}
              onClear={() => {
                setText('')
                onNarrow({ tab, category: null })
              }}
            />
          </TabPanel>
        ))}
      </Tabs>
      <CreateAgent open={creating} onOpenChange={setCreating} />
      <EditAgent agent={edited} onClose={() => setEdited(null)} />
      <DropOverlay shown={dropping} title={t('agents:importDrop')} accepts="files" />
    </div>
  )
}

function ImportButton({ busy, onFiles }: { busy: boolean; onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('agents')
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button busy={busy} onClick={() => chooser.current?.click()}>
        <Upload aria-hidden />
        {t('import')}
      </Button>
      <FileInput
        ref={chooser}
        label={t('import')}
        accept="application/json,.json,application/zip,.zip"
        multiple
        onFiles={onFiles}
      />
    </>
  )
}

const pill =
  'inline-flex h-7.5 flex-none items-center rounded-pill border border-hairline px-3 font-medium text-muted text-xs transition-colors hover:border-hairline-strong hover:text-ink data-[state=checked]:border-ink data-[state=checked]:bg-ink data-[state=checked]:text-paper'

type CategoryFilterProps = { value: Category | null; onChange: (category: Category | null) => void }

export function CategoryFilter({ value, onChange }: CategoryFilterProps) {
  const { t } = useTranslation(['agents', 'common'])
  return (
    <RadioGroup.Root
      value={value ?? 'all'}
      onValueChange={(next) => onChange(next === 'all' ? null : (next as Category))}
      aria-label={t('agents:categories')}
      orientation="horizontal"
      className="-mx-4 mt-4.5 flex gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
    >
      <RadioGroup.Item value="all" className={pill}>
        {t('agents:allCategories')}
      </RadioGroup.Item>
      {CATEGORIES.map((category) => (
        <RadioGroup.Item key={category} value={category} className={pill}>
          {t(`common:category.${category}`)}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
