import { t } from '../../i18n/page-text.js';

interface PageEntry {
  title: string;
  href: string;
  /** The breadcrumbs link to the parent page, and the parent page's menu entry is marked. */
  parent?: PageName;
  /** The users who see the page in the menu. Absent for a page that is not in the menu. */
  menu?: 'everyone' | 'drivers';
}

/** The pages of the console, in the menu's order and in the current language. */
const pageTree = () =>
  ({
    drive: { title: t('Drive'), href: '/', menu: 'everyone' },
    fleet: { title: t('Fleet'), href: '/fleet', menu: 'everyone' },
    history: { title: t('History'), href: '/history', menu: 'drivers' },
    statistics: { title: t('Statistics'), href: '/history/statistics', parent: 'history' },
    camera: { title: t('Camera'), href: '/cameraSettings', menu: 'drivers' },
    beacons: { title: t('Map'), href: '/map', menu: 'everyone' },
    markers: { title: t('Markers'), href: '/markers', parent: 'beacons' },
    calibration: { title: t('Camera calibration'), href: '/navigation/calibration', parent: 'markers' },
    settings: { title: t('Settings'), href: '/brokerSettings', menu: 'drivers' },
    settingsHistory: { title: t('History'), href: '/brokerSettings/history', parent: 'settings' },
    shop: { title: t('Shop'), href: '/shop', menu: 'everyone' },
    shopRecords: { title: t('Records'), href: '/shop/admin', parent: 'shop' },
    system: { title: t('System'), href: '/system', menu: 'drivers' },
    firstRun: { title: t('First steps'), href: '/first-run', parent: 'system' },
    commissioning: { title: t('Commissioning'), href: '/commissioning', parent: 'system' },
    firmware: { title: t('Controller firmware'), href: '/controller/firmware', parent: 'system' },
    update: { title: t('Software update'), href: '/updates', parent: 'system' },
    https: { title: t('HTTPS'), href: '/system/tls', parent: 'system' },
    users: { title: t('Users'), href: '/users', parent: 'system' },
    keys: { title: t('API keys'), href: '/keys', parent: 'system' },
    account: { title: t('Account'), href: '/account' },
  }) as const;

export type PageName = keyof ReturnType<typeof pageTree>;

export interface PageLink {
  href: string;
  title: string;
}

export interface PageLocation {
  title: string;
  /** The top-level page that this page is or belongs to; empty for a page outside the tree. */
  section: PageName | '';
  /** The pages above this page, highest first. */
  parents: PageLink[];
}

export function menuEntries(isDriver: boolean): (PageLink & { page: PageName })[] {
  return Object.entries<PageEntry>(pageTree())
    .filter(([, { menu }]) => menu === 'everyone' || (menu === 'drivers' && isDriver))
    .map(([page, { href, title }]) => ({ page: page as PageName, href, title }));
}

/** @param title title of a page that is not in the tree; `page`, if defined, is its parent. */
export function locationOf(page: PageName | undefined, title: string | undefined): PageLocation {
  if (page === undefined) return { title: title ?? '', section: '', parents: [] };
  const tree: Readonly<Record<PageName, PageEntry>> = pageTree();
  const path = pathTo(page, tree);
  const section = path[0] ?? page;
  const links = path.map((name) => tree[name]);
  const own = title === undefined ? links.pop() : undefined;
  return { title: title ?? own?.title ?? '', section, parents: links };
}

function pathTo(page: PageName, tree: Readonly<Record<PageName, PageEntry>>): PageName[] {
  const { parent } = tree[page];
  return parent ? [...pathTo(parent, tree), page] : [page];
}
