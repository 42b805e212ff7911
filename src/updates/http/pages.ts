import { declarePage, type Notice } from '../../http/pages.js';
import type { UpdateProgress } from '../progress.js';
import type { UpdatesView } from '../updates.js';

export interface UpdatePage {
  view: UpdatesView;
  progress: UpdateProgress;
  notice?: Notice;
}

export const updatePage = declarePage<UpdatePage>('Software update');
