import { type ReactNode, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Dialog } from '@/components/dialog'

type LegalDocument = 'terms' | 'privacy'

/** The consent line; both papers open over the form, so that nothing typed is lost. */
export function Consent() {
  const { t } = useTranslation('auth')
  const [document, setDocument] = useState<LegalDocument | null>(null)
  return (
    <div className="text-center text-muted text-xs">
      <Trans
        t={t}
        i18nKey="signup.consent"
        components={{
          terms: <DocumentLink onOpen={() => setDocument('terms')} />,
          privacy: <DocumentLink onOpen={() => setDocument('privacy')} />,
        }}
      />
      <Dialog
        open={document !== null}
        onOpenChange={(open) => !open && setDocument(null)}
        title={t(`papers.${document ?? 'terms'}.title`)}
      >
        <ul className="flex list-disc flex-col gap-2 pl-5 leading-relaxed">
          {t(`papers.${document ?? 'terms'}.points`, { returnObjects: true }).map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </Dialog>
    </div>
  )
}

function DocumentLink({ onOpen, children }: { onOpen: () => void; children?: ReactNode }) {
  return (
    <button type="button" onClick={onOpen} className="rounded-xs underline hover:text-ink">
      {children}
    </button>
  )
}
