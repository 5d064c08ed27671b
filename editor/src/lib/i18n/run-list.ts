import { i18n } from '.'
import { runList } from './en/run-list'

/** Adds the texts of the list of runs; imported by its chunk, so that it loads with it. */
i18n.addResourceBundle('en', 'runList', runList)
