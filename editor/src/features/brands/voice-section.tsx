import { Check, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BrandContent } from '@/lib/api/brand-edits'
import { Section } from './section'
import { WordList } from './word-list'

type Voice = NonNullable<BrandContent['voice']>
type VoiceSectionProps = { voice: Voice; onChange: (voice: Voice) => void; readOnly: boolean }

const MAX_LINE = 300

/** How the brand speaks. */
export function VoiceSection({ voice, onChange, readOnly }: VoiceSectionProps) {
  const { t } = useTranslation('brands')
  const list = (name: keyof Voice) => ({
    items: voice[name] ?? [],
    onChange: (items: string[]) => onChange({ ...voice, [name]: items }),
    readOnly,
  })
  return (
    <Section title={t('voice.title')}>
      <div className="grid gap-x-7 gap-y-5 sm:grid-cols-2">
        <WordList title={t('voice.tone')} add={t('voice.toneAdd')} look="words" {...list('tone')} />
        <WordList
          title={t('voice.banned')}
          add={t('voice.bannedAdd')}
          look="banned"
          {...list('banned_words')}
        />
        <WordList
          title={t('voice.dos')}
          add={t('voice.dosAdd')}
          look="lines"
          maxLength={MAX_LINE}
          icon={<Check aria-hidden className="size-4 flex-none text-viridian-text" />}
          {...list('dos')}
        />
        <WordList
          title={t('voice.donts')}
          add={t('voice.dontsAdd')}
          look="lines"
          maxLength={MAX_LINE}
          icon={<X aria-hidden className="size-4 flex-none text-madder-text" />}
          {...list('donts')}
        />
        <WordList
          title={t('voice.lines')}
          add={t('voice.linesAdd')}
          look="lines"
          maxLength={MAX_LINE}
          {...list('sample_lines')}
        />
        <WordList
          title={t('voice.languages')}
          add={t('voice.languagesAdd')}
          look="words"
          {...list('languages')}
        />
      </div>
    </Section>
  )
}
