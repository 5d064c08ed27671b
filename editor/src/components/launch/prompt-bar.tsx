import { ImagePlus, SlidersHorizontal, Sparkle } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowDetail } from '@/lib/api/flows'
import { classes } from '@/lib/classes'
import { promptField } from '@/lib/launch/fields'
import { ACCEPT, checkFiles, type RejectedFile } from '@/lib/launch/files'
import { missingTitles } from '@/lib/launch/inputs'
import type { Launch } from '@/lib/launch/use-launch'
import { Button } from '../button'
import { FileInput } from '../file-input'
import { IconButton } from '../icon-button'
import { lazyPart, usePreload } from '../lazy-part'
import { BrandMenu } from './brand-menu'
import { EstimateLine } from './estimate-line'

// Contains every control of an input form: loaded on demand.
const loadCustomize = () => import('./customize-panel')
const CustomizePanel = lazyPart(async () => (await loadCustomize()).CustomizePanel)

// Shown only once there are images.
const UploadRow = lazyPart(async () => (await import('./upload-row')).UploadRow)

const BetaNotice = lazyPart(async () => (await import('./beta-notice')).BetaNotice)

// Shown only where something is missing.
const LaunchNotices = lazyPart(() => import('./launch-notices').then((file) => file.default))

type PromptBarProps = {
  flow: FlowDetail | null | undefined
  /** The id of the selected agent while it is loading. */
  coming?: string | null
  launch: Launch
  /** Dropped or pasted files that cannot be used. */
  rejected: readonly RejectedFile[]
  onFiles: (files: File[]) => void
  autoFocus?: boolean
  className?: string
  /** Opens with Customize below it. */
  customizing?: boolean
  /** Content beside Customize. */
  aside?: ReactNode
}

/** Prompt, images, estimate and Launch button; Customize opens below them. */
export function PromptBar(props: PromptBarProps) {
  const { flow, launch, rejected, onFiles, autoFocus, className, aside } = props
  const { t } = useTranslation('launch')
  usePreload(loadCustomize)
  const panelId = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const [customizing, setCustomizing] = useState<'open' | 'asking' | null>(props.customizing ? 'open' : null)
  const coming = props.coming ?? (launch.isResolving && flow ? flow.id : null)
  const { start, tried, isWaiting, isAsking } = useStart(flow, launch, coming, () => setCustomizing('asking'))
  const problems = useProblems(flow, launch, rejected, tried && coming === null)
  useEffect(() => {
    if (Object.keys(launch.rejected).length > 0) setCustomizing('asking')
  }, [launch.rejected])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter launches from the bar and from Customize.
    <div onKeyDown={(event) => isLaunchKey(event) && start()}>
      <form
        aria-label={t('launch')}
        className={classes(
          'relative rounded-xl border border-hairline bg-surface p-4 pb-3 shadow-float transition-[border-color] focus-within:border-hairline-strong',
          className,
        )}
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <PromptText flow={flow} launch={launch} autoFocus={autoFocus ?? false} />
        <div className="mt-2 flex flex-wrap items-center gap-2.5">
          <Images uploads={launch.uploads} />
          {(!flow || launch.isResolving || launch.imageCapacity > 0) && <ImagePicker onFiles={onFiles} />}
          {launch.brand && (
            <BrandMenu
              field={launch.brand.field}
              value={launch.brand.value}
              onChoose={launch.brand.choose}
              disabled={launch.started}
            />
          )}
          <Cost flow={flow} launch={launch} />
          {/* One item of the row, so that Launch does not wrap alone. */}
          <div className="ml-auto flex flex-none items-center gap-2.5 max-sm:contents">
            {aside}
            <Button
              ref={toggle}
              aria-expanded={customizing !== null}
              aria-controls={customizing ? panelId : undefined}
              onClick={() => setCustomizing(customizing ? null : 'open')}
              disabled={!flow}
              className="aria-expanded:bg-sunken"
            >
              <SlidersHorizontal aria-hidden />
              {t('customize')}
            </Button>
            <Button
              variant="primary"
              type="submit"
              busy={launch.started || isWaiting}
              aria-keyshortcuts="Control+Enter Meta+Enter"
              className="max-sm:w-full"
            >
              <Sparkle aria-hidden />
              {launch.started ? t('launching') : t('launch')}
            </Button>
          </div>
        </div>
        <EstimateNotices launch={launch} />
        <GoneBrand brand={launch.brand} />
        <Problems problems={problems} />
        {flow && <AgentNotices flow={flow} launch={launch} isAsking={isAsking} />}
      </form>
      {flow && customizing && (
        <CustomizePanel
          key={flow.id}
          id={panelId}
          launch={launch}
          asksForInput={customizing === 'asking'}
          onClose={() => {
            setCustomizing(null)
            toggle.current?.focus()
          }}
          className="mx-auto mt-3 max-w-295"
        />
      )}
    </div>
  )
}

/** The agent and the estimate, on a line of their own on small screens. */
function Cost({ flow, launch }: Pick<PromptBarProps, 'flow' | 'launch'>) {
  if (!flow) {
    return (
      <>
        <span className="flex-1" />
        <span aria-hidden className="order-last w-full text-xs sm:hidden">
          &nbsp;
        </span>
      </>
    )
  }
  return (
    <>
      <span className="flex-1 sm:hidden" />
      <EstimateLine
        name={flow.name}
        estimate={launch.estimate}
        stopsAt={launch.budget.usd}
        className="sm:flex-1 sm:basis-60 sm:justify-end"
      />
    </>
  )
}

function Images({ uploads }: Pick<Launch, 'uploads'>) {
  return uploads.items.length > 0 && <UploadRow uploads={uploads} />
}

function EstimateNotices({ launch }: { launch: Launch }) {
  const notices = launch.estimate?.notices ?? []
  if (notices.length === 0) return null
  return <LaunchNotices notices={notices} fields={launch.fields} onChange={launch.change} />
}

function GoneBrand({ brand }: Pick<Launch, 'brand'>) {
  const { t } = useTranslation('launch')
  if (!brand?.isGone) return null
  return (
    <p role="status" className="mt-2.5 px-1.5 text-ochre-text text-sm">
      {t('brand.gone')}
    </p>
  )
}

/** The Launch button: starts the launch once the agent is there, and says what is missing. */
function useStart(
  flow: FlowDetail | null | undefined,
  launch: Launch,
  coming: string | null,
  openForm: () => void,
) {
  const [tried, setTried] = useState(false)
  const [waitsFor, setWaitsFor] = useState<string | null>(null)
  // The agent for which the bar has asked whether to launch without a prompt.
  const [askedOf, setAskedOf] = useState<string | null>(null)

  function start() {
    setTried(true)
    if (coming !== null) return setWaitsFor(coming)
    if (!flow || isBlocked(launch)) return
    if (launch.missing.length === 0 && launch.budget.isValid) {
      if (lacksPrompt(launch) && askedOf !== flow.id) return setAskedOf(flow.id)
      return launch.start()
    }
    if (launch.missing[0]?.id !== promptField(launch.fields)?.id) openForm()
  }
  const launchWhenReady = useEffectEvent(() => {
    setWaitsFor(null)
    // If the user has selected another agent since, do not launch.
    if (flow?.id === waitsFor) start()
  })
  useEffect(() => {
    if (waitsFor !== null && waitsFor !== coming) launchWhenReady()
  }, [waitsFor, coming])
  return { start, tried, isWaiting: waitsFor !== null, isAsking: askedOf !== null && askedOf === flow?.id }
}

function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <div role="alert" className="mt-2.5 space-y-0.5 px-1.5 text-madder-text text-sm">
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  )
}

type AgentNoticesProps = { flow: FlowDetail; launch: Launch; isAsking: boolean }

/** Asks whether to launch without a prompt, and says that the agent is in private beta. */
function AgentNotices({ flow, launch, isAsking }: AgentNoticesProps) {
  const { t } = useTranslation('launch')
  return (
    <>
      {isAsking && lacksPrompt(launch) && !launch.started && (
        <p role="alert" className="mt-2.5 px-1.5 text-ochre-text text-sm">
          {t('emptyPrompt')}
        </p>
      )}
      {flow.beta && !flow.permissions.beta && <BetaNotice name={flow.name} />}
    </>
  )
}

/** Whether Launch does nothing: once started, since the results page may take time to open, and with wrong files. */
function isBlocked({ started, uploads, unused }: Launch): boolean {
  // The bar says that files cannot be used from the moment at which they were added.
  return started || uploads.busy || failedUploads(uploads).length > 0 || unused > 0
}

/** Whether the agent takes a prompt and nothing was written or added. */
function lacksPrompt({ fields, prompt, uploads }: Launch): boolean {
  return promptField(fields) !== null && prompt.trim() === '' && uploads.items.length === 0
}

function isLaunchKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.metaKey || event.ctrlKey))
    return false
  event.preventDefault()
  return true
}

/** Failed uploads block the launch: it would lack the images that the user added. */
const failedUploads = (uploads: Launch['uploads']) => uploads.items.filter((item) => item.error !== null)

/** Lists the reasons why Launch is not possible; missing fields only after Launch was pressed. */
function useProblems(
  flow: PromptBarProps['flow'],
  launch: Launch,
  refused: readonly RejectedFile[],
  tried: boolean,
): string[] {
  const { t } = useTranslation('launch')
  const { missing, filled, unused, hasWrongType, imageCapacity, uploads } = launch
  const problems = [
    ...refused.map(({ name, reason }) => t(`rejected.${reason}`, { name })),
    ...promptErrors(launch),
  ]
  for (const { name, error } of failedUploads(uploads))
    problems.push(`${t('uploadFailed', { name })} ${error}`)
  const name = flow?.name ?? ''
  if (flow && unused > 0) {
    const images = imageCapacity === 0 ? t('noImages', { name }) : t('unused', { name, count: unused })
    problems.push(hasWrongType ? t('unusedFiles', { name }) : images)
  }
  if (!tried) return problems
  if (!flow) problems.push(t('chooseAgent'))
  if (uploads.busy) problems.push(t('stillUploading'))
  if (failedUploads(uploads).length > 0) problems.push(t('fixUploads'))
  if (flow && missing.length > 0) {
    const titles = missing.flatMap((field) => missingTitles(field, filled[field.id]))
    problems.push(t('missing', { name, fields: titles.join(', ') }))
  }
  return problems
}

/** What the server answered about the prompt, which Customize does not show. */
function promptErrors({ fields, rejected }: Launch): string[] {
  const error = rejected[promptField(fields)?.id ?? '']
  return error ? [error] : []
}

function PromptText({
  flow,
  launch,
  autoFocus,
}: Pick<PromptBarProps, 'flow' | 'launch'> & { autoFocus: boolean }) {
  // Taking the focus would close a menu or dialog that was opened while the page loaded.
  const [focused] = useState(
    () => autoFocus && !document.activeElement?.closest('[role=menu], [role=dialog]'),
  )
  const { t } = useTranslation('launch')
  const field = promptField(launch.fields)
  const example = typeof field?.initial === 'string' ? field.initial : ''
  const placeholder = !flow
    ? t('placeholder')
    : field
      ? example || t('placeholderFor', { name: flow.name })
      : t('noPrompt', { name: flow.name })
  return (
    <textarea
      aria-label={t('prompt')}
      // biome-ignore lint/a11y/noAutofocus: the page is its question; the answer goes here.
      autoFocus={focused}
      rows={1}
      dir="auto"
      value={launch.prompt}
      onChange={(event) => launch.setPrompt(event.target.value)}
      placeholder={placeholder}
      className="field-sizing-content block max-h-[40vh] min-h-14 w-full max-sm:min-h-19.5 resize-none bg-transparent px-1.5 pt-1 text-lg caret-cobalt outline-none"
    />
  )
}

function ImagePicker({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation('launch')
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        variant="quiet"
        label={t('addImages')}
        icon={<ImagePlus />}
        onClick={() => chooser.current?.click()}
      />
      <FileInput ref={chooser} label={t('images')} accept={ACCEPT.Image} multiple onFiles={onFiles} />
    </>
  )
}

/** Adds files to the bar and shows messages about those that were refused. */
export function usePromptFiles(launch: Launch) {
  const [refused, setRejected] = useState<RejectedFile[]>([])
  function addFiles(files: readonly File[]) {
    const sorted = checkFiles(files)
    setRejected(sorted.rejected)
    launch.uploads.add(sorted.accepted)
    return sorted
  }
  return { refused, take: addFiles, clearRejected: () => setRejected([]) }
}
