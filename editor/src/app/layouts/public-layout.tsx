import { Outlet, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Wordmark } from '@/components/logo'
import { classes } from '@/lib/classes'
import { InsideMain } from '../error-pages'
import '@/lib/i18n/auth'

const warm =
  'bg-[#e98b4a] bg-[image:radial-gradient(60%_50%_at_22%_20%,#ffe2b8_0_20%,transparent_70%),radial-gradient(50%_60%_at_82%_16%,#f6c453_0_14%,transparent_62%),radial-gradient(70%_60%_at_70%_62%,#de4f2a_0_26%,transparent_72%),radial-gradient(60%_60%_at_18%_86%,#2f57e0_0_30%,transparent_72%),radial-gradient(50%_40%_at_92%_96%,#7449d8_0_30%,transparent_74%)]'
const cool =
  'bg-[#2f57e0] bg-[image:radial-gradient(50%_50%_at_80%_18%,#d5f3ea_0_16%,transparent_66%),radial-gradient(60%_60%_at_20%_24%,#7b9bff_0_22%,transparent_70%),radial-gradient(70%_60%_at_30%_78%,#11806a_0_28%,transparent_74%),radial-gradient(60%_50%_at_86%_82%,#f6c453_0_24%,transparent_72%)]'

/** Layout of sign-in, sign-up and password pages: the form on the left, a painting on the right. */
export function PublicLayout() {
  const { t } = useTranslation('auth')
  const signingUp = useLocation({ select: ({ pathname }) => pathname.startsWith('/signup') })
  return (
    <div className="grid min-h-dvh lg:grid-cols-2">
      <div className="flex flex-col px-6">
        <header className="flex h-20 items-center sm:px-2">
          <Wordmark />
        </header>
        <main className="grid flex-1 place-items-center pb-20">
          <div className="w-full max-w-96">
            <InsideMain value>
              <Outlet />
            </InsideMain>
          </div>
        </main>
      </div>
      <aside
        className={classes(
          'sticky top-3.5 m-3.5 ml-0 hidden h-[calc(100dvh-28px)] overflow-hidden rounded-[26px] lg:block',
          signingUp ? cool : warm,
        )}
      >
        {!signingUp && (
          <p className="absolute right-20 bottom-9.5 left-10 font-serif text-[#fffdf9] text-[40px] leading-[1.08] tracking-[-0.01em] [text-shadow:0_2px_24px_rgb(60_15_0/0.25)]">
            {t('motto')}
          </p>
        )}
      </aside>
    </div>
  )
}
