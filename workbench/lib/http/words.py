"""Why a fetch failed, for people. One text for each code of an HttpError."""

from workbench.lib.texts import Text

WORDS: dict[str, Text] = {
    "bad-host": Text("The host cannot be used.", "主机名不能使用。"),
    "bad-redirect": Text(
        "The server redirects to an address that cannot be read.", "服务器重定向到无法读取的地址。"
    ),
    "bad-request": Text("The request cannot be sent in this form.", "请求无法以这种形式发送。"),
    "bad-url": Text("The address cannot be read.", "地址无法读取。"),
    "body-bytes": Text("The answer is too large.", "响应内容过大。"),
    "broken-encoding": Text("The answer is damaged.", "响应内容已损坏。"),
    "certificate": Text(
        "The server's certificate is not valid for it.", "服务器证书无效或与主机不符。"
    ),
    "connect-time": Text("The server did not answer in time.", "服务器没有及时应答。"),
    "cut": Text("The answer ended too soon.", "响应提前中断。"),
    "head-bytes": Text("The answer's headers are too long.", "响应头过长。"),
    "inflation": Text("The answer unpacks to far too much.", "响应解压后过大。"),
    "look-up": Text("The host name could not be looked up.", "主机名暂时无法解析。"),
    "look-up-time": Text("The host name was not looked up in time.", "主机名解析超时。"),
    "nested-encoding": Text("The answer is packed more than once.", "响应被多次压缩。"),
    "no-connection": Text("The server cannot be reached.", "无法连接服务器。"),
    "no-room": Text("There is no room on this machine for the answer.", "本机没有空间存放响应。"),
    "no-such-host": Text("There is no such host.", "没有这个主机。"),
    "non-public-address": Text(
        "The host is not on the public internet.", "该主机不在公共互联网上。"
    ),
    "peer": Text("Another server than the one asked for answered.", "应答的不是所请求的服务器。"),
    "port": Text("This port is not fetched from.", "不从这个端口抓取。"),
    "protocol": Text("The server does not speak HTTP properly.", "服务器的 HTTP 应答不合规范。"),
    "read-time": Text("The server stopped in the middle.", "服务器中途停止应答。"),
    "redirect-loop": Text("The server redirects in a circle.", "服务器循环重定向。"),
    "redirect-nowhere": Text("The server redirects, but not where to.", "重定向没有给出目标地址。"),
    "redirect-of-post": Text(
        "The server wants the request sent to another host.", "服务器要求把请求发往另一主机。"
    ),
    "scheme": Text("Only http and https addresses are fetched.", "只抓取 http 和 https 地址。"),
    "tls": Text("No secure connection came about.", "未能建立安全连接。"),
    "too-many-redirects": Text("The server redirects too often.", "重定向次数过多。"),
    "total-time": Text("The fetch took too long.", "抓取耗时过长。"),
    "unknown-encoding": Text(
        "The answer is packed in a way that was not asked for.", "响应使用了未请求的压缩方式。"
    ),
    "url-too-long": Text("The address is too long.", "地址过长。"),
    "user-info": Text("The address holds a user name.", "地址中含有用户名。"),
    "wire-bytes": Text("The server sends without end.", "服务器发送的数据过多。"),
    "zone-id": Text("The address names a network card of this machine.", "地址指定了本机网卡。"),
}
