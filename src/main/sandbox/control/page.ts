/** Returns the control page: no inline script or style, and nothing of this provider, which the script asks for. */
export function controlPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Built-in provider</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/croupier/control-assets/control.css">
<script src="/croupier/control-assets/control.js" type="module"></script>
</head>
<body>
<header>
  <h1>Built-in provider</h1>
  <p id="identity"></p>
</header>
<main>
  <p id="said" role="status"></p>
  <section aria-labelledby="faults-title">
    <h2 id="faults-title">Faults</h2>
    <form id="add">
      <label>Requests <select id="where" name="where"></select></label>
      <label>Fault
        <select id="what" name="what">
          <option value="delay">Delay the response</option>
          <option value="status">HTTP status, without acting</option>
          <option value="code">Code, without acting</option>
          <option value="cut">Cut the connection before acting</option>
          <option value="cut-after">Cut the connection after acting</option>
          <option value="cut-body">Cut the connection in the body</option>
          <option value="drip">Send the response byte by byte</option>
        </select>
      </label>
      <label id="value-label"><span id="value-name">Milliseconds</span> <input id="value" name="value" type="number" value="3000" required></label>
      <label>Times <input id="times" name="times" type="number" min="1" max="999999" placeholder="always"></label>
      <button type="submit" class="main">Add fault</button>
    </form>
    <div class="scroll" id="list" tabindex="0" role="region" aria-labelledby="faults-title" hidden>
    <table>
      <thead><tr><th scope="col">Requests</th><th scope="col">Fault</th><th scope="col">Times left</th><th scope="col"><button id="clear" type="button">Remove all</button></th></tr></thead>
      <tbody id="faults"></tbody>
    </table>
    </div>
    <p id="no-faults">No faults. The provider responds as usual.</p>
  </section>
  <section aria-labelledby="players-title">
    <h2 id="players-title">Players</h2>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="players-title">
      <table>
        <thead><tr><th scope="col">Player</th><th scope="col">Country</th><th scope="col" class="number">Balance</th><th scope="col">Session token</th></tr></thead>
        <tbody id="players"></tbody>
      </table>
    </div>
  </section>
  <section aria-labelledby="state-title">
    <h2 id="state-title">State</h2>
    <p>A reset keeps the faults.</p>
    <div class="buttons">
      <button id="reset" type="button">Reset state</button>
      <button id="save" type="button">Save state</button>
      <span id="cannot-save" hidden>To save, start the provider with --state FILE.</span>
    </div>
  </section>
</main>
</body>
</html>
`;
}
