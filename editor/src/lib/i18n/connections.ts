import { i18n } from '.'
import { connections } from './en/connections'

/** Adds the texts of the Connections page; imported by its chunk, so that it loads with it. */
i18n.addResourceBundle('en', 'connections', connections)
