import { i18n } from '.'
import { account } from './en/account'
import { usage } from './en/usage'

/** Adds the texts of the Account page; imported by its chunk, so that it loads with it. */
i18n.addResourceBundle('en', 'account', account)
i18n.addResourceBundle('en', 'usage', usage)
