import { useTranslation } from 'react-i18next'

const KIND_COLORS = {
  text: 'bg-cobalt',
  image: 'bg-vermilion',
  video: 'bg-violet',
  speech: 'bg-viridian',
  dialogue: 'bg-viridian',
  music: 'bg-viridian',
  sound_effects: 'bg-viridian',
  captions: 'bg-viridian',
} as const

type KnownKind = keyof typeof KIND_COLORS

function isKnownKind(kind: string): kind is KnownKind {
  return kind in KIND_COLORS
}

/** What a provider makes, with the color of its type. */
export function KindDot({ kind }: { kind: string }) {
  const { t } = useTranslation('connections')
  if (!isKnownKind(kind)) return <span className="text-muted text-xs">{kind}</span>
  return (
    <span className="inline-flex items-center gap-1.5 text-muted text-xs">
      <span aria-hidden className={`size-2 rounded-full ${KIND_COLORS[kind]}`} />
      {t(`kinds.${kind}`)}
    </span>
  )
}
