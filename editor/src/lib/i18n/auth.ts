import { i18n } from '.'
import { auth } from './en/auth'

/** Adds the texts of signing in and of passwords; imported by what shows them, so that they load with it. */
i18n.addResourceBundle('en', 'auth', auth)
