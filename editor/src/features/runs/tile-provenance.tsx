import { Link } from '@tanstack/react-router'
import { SquareArrowOutUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '@/components/button'
import { CredentialsPanel } from '@/components/credentials/lazy-panel'
import type { Asset } from '@/lib/api/assets'
import type { Run } from '@/lib/api/runs'
import { cellText, columnTitle } from '@/lib/data-layout'
import { bytes, dollars, moment, seconds } from '@/lib/format'
import { choiceLabel, formatLabel, humanize, modelLabel } from '@/lib/humanize'
import { useProviderTitle } from '@/lib/provider-title'
import type { MadeBy, StepState } from '@/lib/run/types'

type TileProvenanceProps = {
  run: Run
  step: StepState | undefined
  asset: Asset | undefined
  /** The images among the inputs of the run, such as the product. */
  images: readonly Asset[]
}

/** The node, prompt and inputs that made an asset, with links to them. */
export function TileProvenance({ run, step, asset, images }: TileProvenanceProps) {
  const { t } = useTranslation('runs')
  const made = asset?.made_by ?? step?.madeBy ?? null
  const version = run.version === 'draft' ? t('viewer.draft') : t('viewer.version', { version: run.version })
  return (
    <div className="flex flex-col gap-4">
      <h2 className="font-serif text-title">{t('viewer.provenance')}</h2>
      <Facts>
        <Fact name={t('viewer.agent')}>{`${run.flow_name}, ${version}`}</Fact>
        <Fact name={t('viewer.step')}>{step?.title}</Fact>
        <ModelFacts made={made} />
        <Fact name={t('viewer.brand')}>
          {run.brands
            .map(({ name, version: number }) => t('viewer.brandVersion', { name, version: number }))
            .join('\n')}
        </Fact>
        <Fact name={t('viewer.cost')} mono>
          {step ? dollars(step.costUsd) : null}
        </Fact>
        <Fact name={t('runTime')} mono>
          {step?.seconds ? seconds(step.seconds) : null}
        </Fact>
        {asset && <FileFacts asset={asset} />}
        <Fact name={t('viewer.created')}>{moment(asset?.created_at ?? run.created_at)}</Fact>
      </Facts>
      {asset && (
        <CredentialsPanel
          pinned
          asset={asset}
          className="-mx-5 border-hairline border-y px-5 pt-5 max-md:pb-5"
        />
      )}
      <RunInputs run={run} />
      <InputImages images={images} />
      {run.flow_id && (
        <Button asChild size="sm" className="self-start">
          <Link to="/flow/$flowId" params={{ flowId: run.flow_id }} search={{ run: run.id }}>
            <SquareArrowOutUpRight aria-hidden />
            {t('openAgent')}
          </Link>
        </Button>
      )}
    </div>
  )
}

function ModelFacts({ made }: { made: MadeBy | null }) {
  const { t } = useTranslation('runs')
  const titleOf = useProviderTitle()
  const settings = Object.entries(made?.settings ?? {}).filter(([, value]) => cellText(value) !== '')
  return (
    <>
      <Fact name={t('viewer.provider')}>{made?.provider && titleOf(made.provider)}</Fact>
      <Fact name={t('viewer.model')}>{made?.model && modelLabel(made.model)}</Fact>
      <Fact name={t('viewer.prompt')}>{made?.prompt}</Fact>
      <Fact name={t('viewer.seed')} mono>
        {made?.seed}
      </Fact>
      {settings.length > 0 && (
        <Fact name={t('viewer.settings')}>
          {settings.map(([name, value]) => `${columnTitle(name)}: ${settingText(value)}`).join('\n')}
        </Fact>
      )}
    </>
  )
}

/** A word in small letters is a choice, such as a style; other text may be the user's own. */
function settingText(value: unknown): string {
  if (typeof value !== 'string') return cellText(value)
  return /^[a-z]+$/.test(value) ? choiceLabel(value) : humanize(value)
}

function FileFacts({ asset }: { asset: Asset }) {
  const { t } = useTranslation('runs')
  return (
    <>
      <Fact name={t('viewer.size')} mono>
        {asset.width && asset.height ? `${asset.width} × ${asset.height}` : null}
      </Fact>
      <Fact name={t('viewer.duration')} mono>
        {asset.seconds ? seconds(asset.seconds) : null}
      </Fact>
      <Fact name={t('viewer.file')} mono>
        {`${formatLabel(asset.media_type)}, ${bytes(asset.bytes)}`}
      </Fact>
    </>
  )
}

/** The inputs of the run as text; media are counted. */
function RunInputs({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const titles = new Map(titlesOf(run))
  const entries = Object.entries(run.inputs).filter(([, value]) => typeof value !== 'object')
  if (entries.length === 0) return null
  return (
    <section aria-label={t('viewer.inputs')}>
      <h3 className="mb-2 font-semibold">{t('viewer.inputs')}</h3>
      <Facts>
        {entries.map(([id, value]) => (
          <Fact key={id} name={titles.get(id) ?? id}>
            {cellText(value)}
          </Fact>
        ))}
      </Facts>
    </section>
  )
}

function InputImages({ images }: { images: readonly Asset[] }) {
  const { t } = useTranslation('runs')
  if (images.length === 0) return null
  return (
    <section aria-label={t('viewer.images')}>
      <h3 className="mb-2 font-semibold">{t('viewer.images')}</h3>
      <ul className="flex flex-wrap gap-2">
        {images.map((image) => (
          <li key={image.id}>
            <img
              src={image.thumbnail_url ?? image.url}
              alt={image.name}
              className="size-18 rounded-m bg-sunken object-contain"
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function titlesOf(run: Run): [string, string][] {
  const nodes = Array.isArray(run.flow.nodes) ? (run.flow.nodes as { id: string; title?: string }[]) : []
  return nodes.map(({ id, title }) => [id, title || columnTitle(id)])
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[88px_minmax(0,1fr)] gap-x-3 gap-y-2">{children}</dl>
}

type FactProps = { name: string; mono?: boolean; children: ReactNode }

/** One fact; nothing without a value. */
function Fact({ name, mono, children }: FactProps) {
  if (children === null || children === undefined || children === '') return null
  return (
    <>
      <dt className="text-muted text-sm">{name}</dt>
      <dd
        className={`whitespace-pre-line break-words text-sm ${mono ? 'font-mono text-xs leading-[1.6]' : ''}`}
      >
        {children}
      </dd>
    </>
  )
}
