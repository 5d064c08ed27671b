import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Skeleton } from '@/components/surfaces'
import { useSaving } from '@/document/use-session'
import { describeDiff, diff, isEmpty } from '@/graph/diff'
import type { FlowDocument } from '@/graph/document'
import type { PublishedVersion } from '@/lib/api/drafts'
import { currentUserQuery } from '@/lib/api/users'
import { classes } from '@/lib/classes'
import { ago } from '@/lib/format'
import { ComparedVersions } from './diff-view'
import { VariableChanges } from './variable-changes'
import { versionNameInSentence } from './version-names'

type VersionListProps = {
  versions: readonly PublishedVersion[] | undefined
  live: number | null
  before: FlowDocument | null
  after: FlowDocument | null
  base: string | null
  other: string
  onChoose: (ref: string) => void
  onCompare: (ref: string) => void
}

/** The history, newest first. Press compares a row with the draft; Shift and press, with the selected one. */
export function VersionList(props: VersionListProps) {
  const { versions, live, before, after, base, other, onChoose, onCompare } = props
  const { t } = useTranslation('history')
  const savedAt = useSaving((state) => state.savedAt)
  const changes = base && before && after ? diff(before, after) : null
  const name = base ? versionNameInSentence(base, versions ?? [], t) : ''
  return (
    <section
      aria-label={t('title')}
      className="absolute top-[78px] right-4 bottom-4 z-10 flex w-[336px] flex-col overflow-hidden rounded-l border border-hairline bg-surface shadow-card max-lg:top-auto max-lg:left-4 max-lg:h-[40vh] max-lg:w-auto"
    >
      <header className="px-4.5 pt-4.5 pb-3">
        <h2 className="font-serif text-[30px] leading-[1.1] tracking-[-0.01em]">{t('title')}</h2>
        <p className="mt-1 text-muted text-xs" role="status">
          {changes &&
            (isEmpty(changes)
              ? t('noChanges', { name })
              : t('since', { changes: describeDiff(changes), name }))}
        </p>
        {changes && <VariableChanges variables={changes.variables} />}
        {base && versions && (
          <ComparedVersions
            versions={versions}
            base={base}
            other={other}
            onOther={onCompare}
            className="mt-1 text-sm lg:hidden"
          />
        )}
      </header>
      <ul className="scrollbar-quiet min-h-0 flex-1 overflow-y-auto border-hairline border-t">
        <HistoryRow
          dot="bg-ochre"
          title={t('draft')}
          strong
          detail={savedAt ? t('saved', { when: ago(savedAt) }) : ''}
          tag={t('now')}
          tagLook="text-ochre-text"
          on={other === 'draft' || base === 'draft'}
          onPress={() => onCompare('draft')}
        />
        {versions?.map((version) => (
          <VersionRow
            key={version.ref}
            version={version}
            live={live}
            shared={versions.some((one) => one.public)}
            on={version.ref === base || version.ref === other}
            onPress={(shift) => (shift ? onCompare(version.ref) : onChoose(version.ref))}
          />
        ))}
        {!versions && [0, 1, 2].map((at) => <Skeleton key={at} className="m-4 h-10" />)}
        {versions?.length === 0 && <li className="p-4.5 text-muted text-sm">{t('empty')}</li>}
      </ul>
    </section>
  )
}

type VersionRowProps = {
  version: PublishedVersion
  live: number | null
  /** Whether other users see any of the versions. */
  shared: boolean
  on: boolean
  onPress: (shift: boolean) => void
}

function VersionRow({ version, live, shared, on, onPress }: VersionRowProps) {
  const { t } = useTranslation('history')
  const { data: user } = useQuery(currentUserQuery)
  const published = version.kind === 'published'
  const isLive = published && version.number === live
  const tag = tagOf(version, isLive, shared)
  const when = ago(version.created_at)
  const own = version.author === null || version.author.id === user?.id
  const by = own ? when : t('by', { when, who: version.author?.username ?? '' })
  return (
    <HistoryRow
      dot={isLive ? 'bg-viridian' : published ? 'bg-ink' : 'bg-hairline-strong'}
      title={published ? t('version', { number: version.number ?? 0 }) : t('save')}
      strong={published}
      detail={version.note ? `“${version.note}”, ${by}` : by}
      tag={tag && t(tag)}
      tagLook={isLive ? 'text-viridian-text' : 'text-muted'}
      on={on}
      onPress={onPress}
    />
  )
}

function tagOf(version: PublishedVersion, isLive: boolean, shared: boolean) {
  if (version.withdrawn_at) return 'withdrawnTag'
  if (isLive) return 'live'
  return version.kind === 'published' && shared && !version.public ? 'privateTag' : ''
}

type RowProps = {
  dot: string
  title: string
  strong: boolean
  detail: string
  tag: string
  tagLook: string
  on: boolean
  onPress: (shift: boolean) => void
}

function HistoryRow({ dot, title, strong, detail, tag, tagLook, on, onPress }: RowProps) {
  return (
    <li className="border-hairline border-b">
      <button
        type="button"
        aria-pressed={on}
        onClick={(event) => onPress(event.shiftKey)}
        className={classes(
          '-outline-offset-2 grid w-full grid-cols-[18px_1fr_auto] gap-2.5 px-4.5 py-3.5 text-left text-sm hover:bg-sunken/60',
          on && 'bg-sunken hover:bg-sunken',
        )}
      >
        <i aria-hidden className={classes('mt-[5px] size-2.5 rounded-pill', dot)} />
        <span className="min-w-0">
          <span className={classes('block', strong && 'font-semibold text-base')}>{title}</span>
          <span className="block truncate text-muted">{detail}</span>
        </span>
        {tag && <span className={classes('self-center font-medium text-xs', tagLook)}>{tag}</span>}
      </button>
    </li>
  )
}
