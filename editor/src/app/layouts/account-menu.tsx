import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, ShieldCheck, Sun, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '@/components/avatar'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '@/components/menu'
import { signOut } from '@/lib/api/identity'
import { currentUserQuery } from '@/lib/api/users'
import { setTheme, useTheme } from '@/lib/theme'

/** The account menu: account, theme and sign-out. */
export function AccountMenu() {
  const { t } = useTranslation('common')
  const { data: user } = useQuery(currentUserQuery)
  const theme = useTheme((state) => state.choice)
  return (
    <Menu
      trigger={
        <button type="button" aria-label={t('nav.accountMenu')} className="rounded-pill">
          <Avatar src={user?.avatar_url} />
        </button>
      }
    >
      {user && <p className="max-w-60 truncate px-2.5 pt-2 pb-1.5 text-muted text-sm">{user.email}</p>}
      <MenuLink>
        <Link to="/account">
          <UserRound />
          {t('nav.account')}
        </Link>
      </MenuLink>
      {user?.is_admin && (
        <MenuLink>
          <Link to="/admin/$section" params={{ section: 'people' }}>
            <ShieldCheck />
            {t('nav.admin')}
          </Link>
        </MenuLink>
      )}
      <MenuSeparator />
      <MenuChoice
        label={t('nav.theme')}
        value={theme}
        onValueChange={setTheme}
        choices={[
          { value: 'system', label: t('theme.system'), icon: <Monitor /> },
          { value: 'light', label: t('theme.light'), icon: <Sun /> },
          { value: 'dark', label: t('theme.dark'), icon: <Moon /> },
        ]}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={() => void signOut().catch(() => undefined)}>
        {t('nav.logout')}
      </MenuItem>
    </Menu>
  )
}
